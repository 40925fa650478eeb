//! How a session is recorded, and what its file is called.

use std::path::PathBuf;

use recto_protocol::ThreadId;

/// How certain it is that what was acknowledged survives a power cut; a killed process loses nothing either way.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SyncPolicy {
    /// When the system likes.
    None,
    /// At the end of each turn.
    #[default]
    EachTurn,
    /// With each append.
    EachAppend,
}

/// How a session is recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecorderSettings {
    /// When the disk is waited for.
    pub sync: SyncPolicy,
    /// Bytes of a line at most, without its line end. A longer one is refused: tool outputs are cut before they
    /// become lines, with [`bound_output`](super::bound_output).
    pub max_line_bytes: usize,
}

impl Default for RecorderSettings {
    /// Syncs each turn; a line has 64 MiB at most, which holds a compaction with several pictures in it.
    fn default() -> Self {
        Self { sync: SyncPolicy::default(), max_line_bytes: 64 << 20 }
    }
}

/// When a session began, as its file is named after; the caller says in which time zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SessionStart {
    /// The year.
    pub year: u16,
    /// 1 to 12.
    pub month: u8,
    /// 1 to 31.
    pub day: u8,
    /// 0 to 23.
    pub hour: u8,
    /// 0 to 59.
    pub minute: u8,
    /// 0 to 59.
    pub second: u8,
}

impl SessionStart {
    /// `sessions/YYYY/MM/DD/rollout-YYYY-MM-DDTHH-MM-SS-UUID.jsonl`, below a home.
    pub fn rollout_path(&self, thread_id: ThreadId) -> PathBuf {
        let Self { year, month, day, hour, minute, second } = self;
        format!(
            "sessions/{year:04}/{month:02}/{day:02}/rollout-{year:04}-{month:02}-{day:02}\
             T{hour:02}-{minute:02}-{second:02}-{thread_id}.jsonl"
        )
        .into()
    }
}
