//! What a hook wants, from how it ended and what it wrote.

use std::time::Duration;

use serde::Deserialize;

use super::runner::{HookEnd, HookOutput};
use super::spec::HookEvent;

/// What came of one hook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookOutcome {
    /// Which run of which hook: `stop:0:/home/me/.codex/hooks.json`.
    pub run_id: String,
    /// What it adds to the conversation; also where it blocks.
    pub additional_context: Option<String>,
    /// What becomes of the turn.
    pub verdict: HookVerdict,
    /// What the person is told besides.
    pub messages: Vec<String>,
}

/// What becomes of a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HookVerdict {
    /// It goes on as if there were no hook.
    Continue,
    /// A prompt is not sent and not recorded; a turn that would stop goes on, with the reason as its next input.
    Block {
        /// Why; never empty.
        reason: String,
    },
    /// It ends here; a prompt is not sent and not recorded.
    StopTurn {
        /// Why, where the hook said.
        reason: Option<String>,
    },
    /// The hook did not work and has no say; it adds nothing either.
    Failed(HookFailure),
}

/// Why a hook has no say.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HookFailure {
    /// It never ran.
    #[error("the hook did not start: {0}")]
    NotStarted(String),
    /// It took too long.
    #[error("the hook took longer than {} s and was killed", .0.as_secs_f64())]
    TimedOut(Duration),
    /// It ended with a code that means nothing.
    #[error("the hook exited with code {code}{}", said(stderr))]
    Exited {
        /// The code.
        code: i32,
        /// What it wrote about it.
        stderr: String,
    },
    /// It was killed from outside.
    #[error("the hook was killed by signal {0}")]
    Signalled(i32),
    /// Its answer is no JSON that is understood.
    #[error("the hook's answer is not understood: {0}")]
    Answer(String),
    /// It blocks without a reason.
    #[error("the hook blocks and gives no reason")]
    NoReason,
    /// It decides what it cannot.
    #[error("a {event} hook cannot decide `{decision}`")]
    Decision {
        /// When it ran.
        event: HookEvent,
        /// What it said.
        decision: String,
    },
}

fn said(stderr: &str) -> String {
    stderr.lines().next().map(|line| format!(": {line}")).unwrap_or_default()
}

/// The JSON that a hook may answer; a member that is not known makes it fail, as in the reference.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", default)]
struct Answer {
    r#continue: Option<bool>,
    stop_reason: Option<String>,
    #[serde(rename = "suppressOutput")]
    _suppress_output: Option<bool>,
    system_message: Option<String>,
    decision: Option<String>,
    reason: Option<String>,
    hook_specific_output: Option<Specific>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Specific {
    hook_event_name: String,
    #[serde(default)]
    additional_context: Option<String>,
}

/// What a hook wants.
#[derive(Debug)]
pub(super) struct Wish {
    pub(super) additional_context: Option<String>,
    pub(super) verdict: HookVerdict,
    pub(super) messages: Vec<String>,
}

impl Wish {
    fn only(verdict: HookVerdict) -> Self {
        Self { additional_context: None, verdict, messages: Vec::new() }
    }
}

/// Reads the wish; whatever is not understood is a failure.
pub(super) fn wish(event: HookEvent, output: &HookOutput, timeout: Duration) -> Wish {
    let failed = |failure| Wish::only(HookVerdict::Failed(failure));
    let stderr = || String::from_utf8_lossy(&output.stderr).trim().to_owned();
    match &output.end {
        HookEnd::Exited(0) => {
            let stdout = String::from_utf8_lossy(&output.stdout);
            answered(event, stdout.trim()).unwrap_or_else(failed)
        }
        HookEnd::Exited(2) if event != HookEvent::SessionStart => match stderr() {
            reason if reason.is_empty() => failed(HookFailure::NoReason),
            reason => Wish::only(HookVerdict::Block { reason }),
        },
        HookEnd::Exited(code) => failed(HookFailure::Exited { code: *code, stderr: stderr() }),
        HookEnd::Signalled(signal) => failed(HookFailure::Signalled(*signal)),
        HookEnd::TimedOut => failed(HookFailure::TimedOut(timeout)),
        HookEnd::NotStarted(reason) => failed(HookFailure::NotStarted(reason.clone())),
    }
}

/// What an answer on standard output wants; plain text is context.
fn answered(event: HookEvent, stdout: &str) -> Result<Wish, HookFailure> {
    let mut wish = Wish::only(HookVerdict::Continue);
    if !stdout.starts_with(['{', '[']) {
        wish.add_context(event, (!stdout.is_empty()).then(|| stdout.to_owned()));
        return Ok(wish);
    }
    if stdout.starts_with('[') {
        return Err(HookFailure::Answer("it is a list, not an object".to_owned()));
    }
    let answer: Answer =
        serde_json::from_str(stdout).map_err(|error| HookFailure::Answer(error.to_string()))?;
    wish.messages.extend(answer.system_message.clone());
    wish.verdict = verdict(event, &answer)?;
    if let Some(specific) = answer.hook_specific_output {
        if specific.hook_event_name != event.as_str() {
            let named = &specific.hook_event_name;
            wish.messages.push(format!("a {event} hook answered as if it were for {named}"));
        }
        wish.add_context(event, specific.additional_context);
    }
    Ok(wish)
}

impl Wish {
    /// Takes context where the event has a place for it.
    fn add_context(&mut self, event: HookEvent, context: Option<String>) {
        match event {
            HookEvent::SessionStart | HookEvent::UserPromptSubmit => {
                self.additional_context = context;
            }
            HookEvent::Stop if context.is_some() => {
                let message = "a Stop hook cannot add context; what it wrote was left out";
                self.messages.push(message.to_owned());
            }
            HookEvent::Stop => {}
        }
    }
}

fn verdict(event: HookEvent, answer: &Answer) -> Result<HookVerdict, HookFailure> {
    if answer.r#continue == Some(false) {
        return Ok(HookVerdict::StopTurn { reason: answer.stop_reason.clone() });
    }
    match answer.decision.as_deref() {
        None => Ok(HookVerdict::Continue),
        Some("block") if event != HookEvent::SessionStart => {
            let reason = answer.reason.as_deref().unwrap_or_default().trim();
            let block = || HookVerdict::Block { reason: reason.to_owned() };
            (!reason.is_empty()).then(block).ok_or(HookFailure::NoReason)
        }
        Some(other) => Err(HookFailure::Decision { event, decision: other.to_owned() }),
    }
}
