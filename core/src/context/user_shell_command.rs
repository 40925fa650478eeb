//! A command that the person ran beside the conversation.

use std::time::Duration;

use recto_context_fragments::{ContextualUserFragment, Markers, TokenCount, truncate_middle};
use recto_protocol::{ContentKind, Role};

use super::registry::{Cap, ContextFragment};

/// Shows the model a command of the person and what came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserShellCommand {
    command: String,
    exit_code: i32,
    duration: Duration,
    output: String,
}

/// What the command's own text may cost.
const COMMAND_TOKENS: TokenCount = 1_000;

/// What its output may cost; the same as for a command of the model.
const OUTPUT_TOKENS: TokenCount = 10_000;

impl UserShellCommand {
    /// Takes what a command wrote, whatever its bytes.
    ///
    /// Command and output keep their heads and tails. Bytes that are no UTF-8, and zero bytes, which not every
    /// server takes, become U+FFFD.
    pub fn new(command: &str, exit_code: i32, duration: Duration, output: &[u8]) -> Self {
        Self {
            command: bounded(command, COMMAND_TOKENS),
            exit_code,
            duration,
            output: bounded(&String::from_utf8_lossy(output), OUTPUT_TOKENS),
        }
    }
}

fn bounded(text: &str, tokens: TokenCount) -> String {
    // The zero bytes go last: replaced they are longer, and a text within its budget must not grow out of it unseen.
    let text = truncate_middle(text, tokens).replace('\0', "\u{fffd}");
    truncate_middle(&text, tokens).into_owned()
}

impl ContextualUserFragment for UserShellCommand {
    fn role(&self) -> Role {
        Role::User
    }

    fn markers() -> Markers {
        Markers::new("<user_shell_command>", "</user_shell_command>")
    }

    fn body(&self) -> String {
        let Self { command, exit_code, duration, output } = self;
        let seconds = duration.as_secs_f64();
        format!(
            "\n<command>\n{command}\n</command>\n<result>\nExit code: {exit_code}\nDuration: {seconds:.4} \
             seconds\nOutput:\n{output}\n</result>\n"
        )
    }
}

impl ContextFragment for UserShellCommand {
    const KIND: ContentKind = ContentKind::new("shell.user_command");
    const SENT: &'static str = "When the person ran a command beside the conversation.";
    const CAP: Cap = Cap::Tokens(COMMAND_TOKENS + OUTPUT_TOKENS + 60);

    fn samples() -> Vec<Self> {
        let took = Duration::from_millis(7);
        vec![
            Self::new("make test", 4, took, b"shell out\nerr\n"),
            Self::new(&"long ".repeat(10_000), 0, took, "\0é".repeat(100_000).as_bytes()),
        ]
    }
}
