//! How often and when a question is asked again.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::failure::Remedy;
use super::provider::Provider;

/// The wait before the first new attempt; each further one waits twice as long.
const FIRST_WAIT: Duration = Duration::from_millis(200);

/// The longest wait that a client makes up.
const MAX_WAIT: Duration = Duration::from_secs(30);

/// The longest wait that a server may ask for; a longer one is told to the person instead.
pub(super) const MAX_ASKED_WAIT: Duration = Duration::from_mins(1);

/// Chance that is given: waits are spread by it, so that many clients do not come back together.
#[derive(Debug)]
pub(super) struct Jitter(AtomicU64);

impl Jitter {
    pub(super) fn new(seed: u64) -> Self {
        Self(AtomicU64::new(seed))
    }

    /// A wait between nine and eleven tenths of this one.
    fn spread(&self, wait: Duration) -> Duration {
        // SplitMix64: one addition and a mix of its bits.
        let step = 0x9e37_79b9_7f4a_7c15;
        let mut bits = self.0.fetch_add(step, Ordering::Relaxed).wrapping_add(step);
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^= bits >> 31;
        let permille = 900 + u32::try_from(bits % 201).unwrap_or_default();
        wait * permille / 1_000
    }
}

/// The attempts that are left for one question.
#[derive(Debug)]
pub(super) struct Attempts {
    requests: u64,
    streams: u64,
    made: u32,
}

impl Attempts {
    pub(super) fn new(provider: &Provider) -> Self {
        Self {
            requests: provider.request_max_retries,
            streams: provider.stream_max_retries,
            made: 0,
        }
    }

    /// Takes one attempt; gives how long to wait for it, or none where there is none left or none would help.
    pub(super) fn next(&mut self, remedy: Remedy, jitter: &Jitter) -> Option<Duration> {
        let (left, asked) = match remedy {
            Remedy::Nothing => return None,
            Remedy::Request(asked) => (&mut self.requests, asked),
            Remedy::Stream(asked) => (&mut self.streams, asked),
        };
        *left = left.checked_sub(1)?;
        let doubled = FIRST_WAIT.saturating_mul(1 << self.made.min(16)).min(MAX_WAIT);
        self.made += 1;
        match asked {
            Some(asked) if asked > MAX_ASKED_WAIT => None,
            Some(asked) => Some(asked),
            None => Some(jitter.spread(doubled)),
        }
    }
}
