//! The past of a session, copied line by line into the file of a fork.
//!
//! The copy needs no other file: whoever reads it need not find the one that it comes from. Metas are left out, for a
//! file has one identity.

use std::io;

use recto_protocol::Item;
use recto_protocol::rollout::{LineForm, LineKind, LineStamp, RolloutLine};
use tokio::sync::mpsc::{Receiver, Sender, channel};

use super::continue_error::ContinueError;
use super::fault::LineFault;
use super::open;
use super::reader::{Record, RolloutReader};
use super::recorder::FileRecorder;
use super::replay::{ChainPart, RolloutChain};
use super::sink::RolloutSink;

/// Bytes that are handed over at once.
const BATCH_BYTES: usize = 1 << 20;

/// Batches that may wait for the disk.
const WAITING_BATCHES: usize = 2;

/// Copies all lines of a session; `timestamp` is for those that have to be made anew.
pub(super) async fn copy_past(
    chain: &RolloutChain,
    to: &FileRecorder,
    timestamp: String,
) -> Result<(), ContinueError> {
    let (sender, mut batches): (_, Receiver<Vec<String>>) = channel(WAITING_BATCHES);
    let chain = chain.clone();
    let reading = tokio::task::spawn_blocking(move || read(&chain, &timestamp, sender));
    while let Some(lines) = batches.recv().await {
        to.append(lines).await?;
    }
    match reading.await {
        Ok(read) => read,
        Err(_) => Err(ContinueError::NotRead),
    }
}

fn read(
    chain: &RolloutChain,
    timestamp: &str,
    to: Sender<Vec<String>>,
) -> Result<(), ContinueError> {
    let mut batch = Batch { lines: Vec::new(), bytes: 0, to };
    for part in chain.parts() {
        read_part(part, timestamp, &mut batch)
            .map_err(|source| ContinueError::unreadable(&part.path, source))?;
    }
    batch.hand_over();
    Ok(())
}

fn read_part(part: &ChainPart, timestamp: &str, batch: &mut Batch) -> io::Result<()> {
    let mut reader = RolloutReader::new(open::open(&part.path)?);
    while let Some(record) = reader.next_record()? {
        let copied = match record {
            Record::Line(place, line) => {
                if part.end.is_reached(place.offset, line.ordinal()) {
                    break;
                }
                copied(&line, timestamp)
            }
            Record::Fault(fault) if part.end.is_reached(fault.place.offset, None) => break,
            Record::Fault(fault) => stand_in(&fault, timestamp),
        };
        batch.extend(copied);
    }
    Ok(())
}

/// A line as the copy has it. What the first versions wrote without an envelope gets one.
fn copied(line: &RolloutLine<'_>, timestamp: &str) -> Option<String> {
    match (line.kind(), line.form()) {
        (LineKind::ResponseItem, LineForm::Bare) => {
            let item = Item::from_raw(line.payload()).ok()?;
            Some(LineStamp { timestamp, ordinal: None }.response_item(&item, None))
        }
        (LineKind::SessionMeta, _) | (_, LineForm::Bare) => None,
        (_, LineForm::Envelope) => Some(line.text().replace(['\n', '\r'], " ")),
    }
}

/// A record that is lost may have told the state of the world; the copy has to say that it is not known either.
fn stand_in(fault: &LineFault, timestamp: &str) -> Option<String> {
    let type_name =
        fault.type_name.as_deref().filter(|it| ["world_state", "compacted"].contains(it))?;
    Some(format!(r#"{{"timestamp":"{timestamp}","type":"{type_name}","payload":null}}"#))
}

/// Lines on their way.
struct Batch {
    lines: Vec<String>,
    bytes: usize,
    to: Sender<Vec<String>>,
}

impl Batch {
    fn extend(&mut self, line: Option<String>) {
        self.bytes += line.as_ref().map_or(0, String::len);
        self.lines.extend(line);
        if self.bytes >= BATCH_BYTES {
            self.hand_over();
        }
    }

    /// Waits until somebody takes what there is; nobody does where the copy was given up.
    fn hand_over(&mut self) {
        self.bytes = 0;
        let _ = self.to.blocking_send(std::mem::take(&mut self.lines));
    }
}
