//! The last words of a server.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::{AsyncRead, AsyncReadExt};

/// Bytes that are kept.
const KEPT: usize = 2 * 1024;

/// Lines that are shown.
const SHOWN_LINES: usize = 5;

/// The end of what a server writes to its standard error; it never reaches ours.
#[derive(Debug, Clone, Default)]
pub(super) struct LastWords(Arc<Mutex<VecDeque<u8>>>);

impl LastWords {
    /// Reads to the end, so that the server is never held by a full pipe.
    pub(super) async fn listen(self, mut pipe: impl AsyncRead + Unpin) {
        let mut buffer = [0; 4 * 1024];
        while let Ok(count @ 1..) = pipe.read(&mut buffer).await {
            let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            kept.extend(&buffer[..count]);
            let surplus = kept.len().saturating_sub(KEPT);
            kept.drain(..surplus);
        }
    }

    /// The last lines as a phrase that goes on after another; empty where there are none.
    pub(super) fn phrase(&self) -> String {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes: Vec<u8> = kept.iter().copied().collect();
        drop(kept);
        let text = String::from_utf8_lossy(&bytes);
        let lines: Vec<String> =
            text.lines().map(shown).filter(|it| !it.trim().is_empty()).collect();
        let last = &lines[lines.len().saturating_sub(SHOWN_LINES)..];
        if last.is_empty() {
            String::new()
        } else {
            format!("; its last words: {}", last.join(" | "))
        }
    }
}

/// A line without what would steer a terminal.
fn shown(line: &str) -> String {
    line.chars().filter(|it| !it.is_control()).collect()
}
