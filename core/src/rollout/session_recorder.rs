//! Records a session in a file: what it records as lines, their times, and where the first line comes from.
//!
//! A new session has no file before its first entry, a fork has one with its whole past from the start, and a session
//! that is resumed goes on in its own.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use recto_protocol::rollout::{LineStamp, SessionMeta};
use recto_protocol::{ThreadId, TokenUsage};
use tokio::sync::Mutex;

use super::continue_error::ContinueError;
use super::copy::copy_past;
use super::encode::EntryEncoder;
use super::entry::{RecordError, RolloutEntry, SessionRecorder};
use super::late_file::{LateFile, NewFile};
use super::new_rollout::NewRollout;
use super::opened::Locked;
use super::recorder::FileRecorder;
use super::replay::{ReplayedSession, RolloutChain, Until, replay};
use super::settings::RecorderSettings;
use super::sink::{AppendError, RolloutSink};
use super::tail::Mended;

/// Says what time it is, as lines tell it.
pub trait RolloutClock: fmt::Debug + Send + Sync {
    /// RFC 3339 in UTC with milliseconds: `2026-12-01T00:00:38.390Z`.
    fn timestamp(&self) -> String;
}

/// A session that goes on in its own file.
#[derive(Debug)]
pub struct Resumed {
    /// What it has come to.
    pub session: ReplayedSession,
    /// Its name, which stays.
    pub thread_id: ThreadId,
    /// Appends to the file.
    pub recorder: RolloutRecorder,
    /// What had to be changed at its end, to be told to the person.
    pub mended: Option<Mended>,
}

/// Records a session in a file of this machine.
pub struct RolloutRecorder {
    path: PathBuf,
    clock: Arc<dyn RolloutClock>,
    log: Mutex<Log>,
}

struct Log {
    encoder: EntryEncoder,
    file: LateFile,
    /// Lines that no file took yet, the oldest first.
    waiting: Vec<String>,
}

impl RolloutRecorder {
    /// A new session in a home; its file is made with the first entry, so that a session in which nobody said anything
    /// leaves none.
    pub fn create(
        home: &Path,
        new: &NewRollout,
        settings: RecorderSettings,
        clock: Arc<dyn RolloutClock>,
    ) -> Self {
        let (home, start, thread_id) = (home.to_owned(), new.start, new.thread_id);
        let path = home.join(start.rollout_path(thread_id));
        let first = meta_line(&new.meta(&clock.timestamp()), &*clock);
        let log = Log {
            encoder: EntryEncoder::new(thread_id, TokenUsage::default()),
            file: LateFile::Missing(NewFile { home, start, thread_id, settings }),
            waiting: vec![first],
        };
        Self { path, clock, log: Mutex::new(log) }
    }

    /// Goes on with a session in its own file, under its own name; `home` is the home that the file lies in.
    ///
    /// The file is locked first and read then, so that nothing is added to it in between. It is read twice at the same
    /// time: for what it tells, and for how lines are added to it.
    pub async fn resume(
        chain: &RolloutChain,
        home: Option<&Path>,
        settings: RecorderSettings,
        clock: Arc<dyn RolloutClock>,
    ) -> Result<Resumed, ContinueError> {
        let path = own_file(chain).to_owned();
        let locked = Locked::take(&path)?;
        let (opened, session) =
            tokio::join!(FileRecorder::open_locked(locked, home, settings), read(chain));
        let opened = opened?;
        // What was mended was read as it stood before.
        let session = if opened.mended.is_some() { read(chain).await? } else { session? };
        let id = session.meta.id.as_deref().and_then(|id| id.parse::<ThreadId>().ok());
        let Some(thread_id) = id else { return Err(ContinueError::NoId { path }) };
        let log = Log {
            encoder: EntryEncoder::new(thread_id, session.thread_usage),
            file: LateFile::Open(opened.recorder),
            waiting: Vec::new(),
        };
        let recorder = Self { path, clock, log: Mutex::new(log) };
        Ok(Resumed { session, thread_id, recorder, mended: opened.mended })
    }

    /// Goes on with a session under a new name in a file of its own in `home`, which holds all its past.
    ///
    /// The session that it comes from is only read. Before the copy is whole no session of the new name is there. Base instructions are taken over where `new` says none.
    pub async fn fork(
        chain: &RolloutChain,
        home: &Path,
        new: &NewRollout,
        settings: RecorderSettings,
        clock: Arc<dyn RolloutClock>,
    ) -> Result<(ReplayedSession, Self), ContinueError> {
        let past = read(chain).await?;
        let timestamp = clock.timestamp();
        let meta = new.meta_of_fork(&timestamp, &past);
        let file = FileRecorder::draft(home, new.start, new.thread_id, settings).await?;
        let first = meta_line(&meta, &*clock);
        if let Err(error) = begin_with_past(&file, first, chain, timestamp).await {
            // Waits until nothing is left of it; that it cannot be written is said already.
            let _ = file.close().await;
            return Err(error);
        }
        let path = file.path().to_owned();
        let encoder = EntryEncoder::new(new.thread_id, past.thread_usage);
        let log = Log { encoder, file: LateFile::Open(file), waiting: Vec::new() };
        let base_instructions = meta.base_instructions.clone();
        let session =
            ReplayedSession { meta, base_instructions, files: vec![path.clone()], ..past };
        Ok((session, Self { path, clock, log: Mutex::new(log) }))
    }

    /// The file, which need not be there yet.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes what waits and lets the file go; a session that recorded nothing leaves none.
    pub async fn close(&self) -> Result<(), RecordError> {
        let mut log = self.log.lock().await;
        let is_new = matches!(log.file, LateFile::Missing(_)) && log.waiting.len() <= 1;
        if is_new {
            return Ok(());
        }
        let written = log.write(false).await;
        if let LateFile::Open(file) = &log.file {
            file.close().await?;
        }
        written
    }
}

#[async_trait]
impl SessionRecorder for RolloutRecorder {
    async fn record(&self, entries: Vec<RolloutEntry>) -> Result<(), RecordError> {
        let mut log = self.log.lock().await;
        let timestamp = self.clock.timestamp();
        let stamp = LineStamp { timestamp: &timestamp, ordinal: None };
        for entry in &entries {
            let line = log.encoder.line(entry, stamp);
            log.waiting.push(line);
        }
        let ends_turn = entries.iter().any(|entry| matches!(entry, RolloutEntry::TurnEnded { .. }));
        log.write(ends_turn).await
    }
}

impl fmt::Debug for RolloutRecorder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RolloutRecorder").field("path", &self.path).finish_non_exhaustive()
    }
}

impl Log {
    /// Hands over what waits; the end of a turn is acknowledged when the policy's sync is done.
    async fn write(&mut self, ends_turn: bool) -> Result<(), RecordError> {
        let file = self.file.opened().await?;
        append(file, std::mem::take(&mut self.waiting)).await?;
        if ends_turn {
            file.end_turn().await?;
        }
        Ok(())
    }
}

/// Appends lines; one that no file takes is left out and named, and those beside it are written.
async fn append(file: &FileRecorder, mut lines: Vec<String>) -> Result<(), AppendError> {
    let mut refused = Ok(());
    loop {
        match file.append(lines.clone()).await {
            Err(error @ (AppendError::TooLong { line, .. } | AppendError::NotOneLine { line }))
                if line < lines.len() =>
            {
                lines.remove(line);
                refused = Err(error);
            }
            written => return written.and(refused),
        }
    }
}

/// Writes all that a fork begins with, and makes its file a session then.
async fn begin_with_past(
    file: &FileRecorder,
    first: String,
    chain: &RolloutChain,
    timestamp: String,
) -> Result<(), ContinueError> {
    file.append(vec![first]).await?;
    copy_past(chain, file, timestamp).await?;
    file.end_turn().await?;
    Ok(file.publish().await?)
}

fn meta_line(meta: &SessionMeta, clock: &dyn RolloutClock) -> String {
    LineStamp { timestamp: &clock.timestamp(), ordinal: None }.session_meta(meta)
}

/// The session's own file.
fn own_file(chain: &RolloutChain) -> &Path {
    chain.parts().last().map_or(Path::new(""), |part| &part.path)
}

async fn read(chain: &RolloutChain) -> Result<ReplayedSession, ContinueError> {
    let chain = chain.clone();
    let read = tokio::task::spawn_blocking(move || replay(&chain, Until::End));
    Ok(read.await.map_err(|_| ContinueError::NotRead)??)
}
