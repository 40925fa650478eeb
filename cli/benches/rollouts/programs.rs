//! What is measured, each in a process of its own.

#![expect(clippy::disallowed_methods, reason = "the plain reader reads files as plainly as can be")]

use std::ffi::OsString;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use async_trait::async_trait;
use recto_core::model::{SampleEnd, SampleError, SampleEvent, SampleRequest, Sampler};
use recto_core::rollout::{Catalog, RecorderSettings, RolloutChain, RolloutRecorder};
use recto_core::session::SessionState;
use recto_protocol::WireKind;
use recto_protocol::responses::ResponsesRequest;
use tokio::sync::mpsc::UnboundedSender;

use crate::ours::{self, Noon, audience, settings};

/// Goes on with a session: `FILE HOME CWD PORT`.
pub(crate) const RESUME: &str = "--resume";

/// Lists a home: `HOME`.
pub(crate) const LIST: &str = "--list";

/// Reads each file of a directory up to what a person said first: `DIRECTORY`.
pub(crate) const READ_EACH: &str = "--read-each";

/// Bytes that are handed to the system at once, as clients of HTTP do with a body.
const SENT_AT_ONCE: usize = 256 << 10;

/// Says one thing in a resumed session and sends the request to a server on this machine.
pub(crate) fn resume(words: &[OsString]) -> ExitCode {
    let [file, home, cwd, port] = words else { return ExitCode::FAILURE };
    let port = port.to_str().and_then(|port| port.parse().ok()).unwrap_or_default();
    let (home, cwd) = (PathBuf::from(home), PathBuf::from(cwd));
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    runtime.block_on(async {
        let chain = RolloutChain::single(file);
        let recorder = RecorderSettings::default();
        let resumed = RolloutRecorder::resume(&chain, Some(&home), recorder, Arc::new(Noon)).await;
        let resumed = resumed.expect("the session can be gone on with");
        let settings = settings(&cwd);
        let state = SessionState::resumed(&resumed.session, &audience(&settings));
        let recorder = Arc::new(resumed.recorder);
        let sampler = Arc::new(Sends(port));
        let mut session =
            ours::session(settings, cwd, home, Some(state), recorder.clone(), sampler).await;
        ours::say(&mut session, "next question").await;
        recorder.close().await.expect("the disk takes all");
    });
    ExitCode::SUCCESS
}

/// Sends each request to a port and waits for the end of the answer, which says nothing.
#[derive(Debug)]
struct Sends(u16);

impl Sends {
    fn send(&self, request: SampleRequest<'_>) -> std::io::Result<()> {
        let body = ResponsesRequest {
            model: request.model,
            prompt: request.prompt,
            parallel_tool_calls: true,
            prompt_cache_key: Some(request.cache_key),
            output_schema: request.output_schema,
        };
        let mut length = Count(0);
        body.write_to(WireKind::Responses, &mut length)?;
        let stream = TcpStream::connect(("127.0.0.1", self.0))?;
        let mut out = BufWriter::with_capacity(SENT_AT_ONCE, &stream);
        write!(out, "POST /v1/responses HTTP/1.1\r\ncontent-length: {}\r\n\r\n", length.0)?;
        body.write_to(WireKind::Responses, &mut out)?;
        out.flush()?;
        (&stream).read_to_end(&mut Vec::new()).map(|_| ())
    }
}

/// Counts bytes.
struct Count(usize);

impl Write for Count {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[async_trait]
impl Sampler for Sends {
    async fn sample(
        &self,
        request: SampleRequest<'_>,
        _: UnboundedSender<SampleEvent>,
    ) -> Result<SampleEnd, SampleError> {
        let failed =
            |error: std::io::Error| SampleError::Failed { message: error.to_string(), hint: None };
        self.send(request).map_err(failed)?;
        Ok(SampleEnd::default())
    }
}

pub(crate) fn list(words: &[OsString]) -> ExitCode {
    let list = Catalog::of_homes(words).list();
    let is_whole = !list.sessions.is_empty()
        && list.skipped.is_empty()
        && list.sessions.iter().all(|session| session.summary.title.is_some());
    if is_whole { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// As little as anybody can do who shows what the person said: reads lines, looks for a word, parses that one.
pub(crate) fn read_each(words: &[OsString]) -> ExitCode {
    let [directory] = words else { return ExitCode::FAILURE };
    let entries = std::fs::read_dir(directory).expect("the directory is there");
    for entry in entries {
        if first_words(&entry.expect("it can be read").path()).is_none() {
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

fn first_words(path: &Path) -> Option<String> {
    let mut reader = BufReader::new(File::open(path).ok()?);
    let mut line = String::new();
    while reader.read_line(&mut line).ok()? > 0 {
        if line.contains(r#""role":"user""#) {
            let value: serde_json::Value = serde_json::from_str(&line).ok()?;
            return value["payload"]["content"][0]["text"].as_str().map(str::to_owned);
        }
        line.clear();
    }
    None
}
