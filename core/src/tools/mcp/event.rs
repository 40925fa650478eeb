//! What the person is told about servers and their tools.

use std::fmt;
use std::path::PathBuf;

use tokio::sync::mpsc::UnboundedSender;

/// Names in a row, and characters of what a server says, that are shown.
const MOST_NAMES: usize = 20;
const MOST_CHARACTERS: usize = 600;

/// Something that the person should know; its words are one sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum McpEvent {
    /// A server that a project's file has a say in: a checkout starts a program, or sends something somewhere.
    FromProject {
        /// The server.
        server: String,
        /// The file.
        path: PathBuf,
    },
    /// A server that did not start; its tools are not there.
    NotStarted {
        /// The server.
        server: String,
        /// Why, as a phrase.
        problem: String,
    },
    /// A server that ended during the session; calls of its tools fail from now on.
    Ended {
        /// The server.
        server: String,
        /// How, as a phrase.
        problem: String,
    },
    /// A tool that the model is not told of.
    ToolLeftOut {
        /// The server.
        server: String,
        /// The tool, as the server names it.
        tool: String,
        /// Why, as a phrase.
        problem: String,
    },
    /// The rest of a list of tools that is too long.
    ListCut {
        /// The server.
        server: String,
        /// Tools that are used.
        kept: usize,
    },
    /// Tools that may write and that nobody allowed; the model is not told of them.
    Withheld {
        /// The server.
        server: String,
        /// The tools, as the server names them.
        tools: Vec<String>,
    },
    /// A name in the settings or behind `--allow-tools` that no tool has.
    NoSuchTool {
        /// What names it, as a phrase: `--allow-tools`.
        place: String,
        /// The name.
        name: String,
    },
    /// A server has other tools now; the session goes on with those of its start.
    ListChanged {
        /// The server.
        server: String,
    },
    /// A call failed; the output tells the model.
    CallFailed {
        /// The call.
        call_id: String,
        /// Why, as a phrase; none where the tool itself says that it failed.
        cause: Option<String>,
    },
    /// The middle of an output was left out.
    OutputCut {
        /// The server.
        server: String,
        /// The tool.
        tool: String,
        /// Bytes of its text.
        bytes: usize,
        /// Tokens that are kept.
        kept_tokens: usize,
    },
}

impl fmt::Display for McpEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FromProject { server, path } => write!(
                f,
                "the MCP server {server:?} is started as the project's own file says: {}",
                shown(&path.to_string_lossy())
            ),
            Self::NotStarted { server, problem } => write!(
                f,
                "the MCP server {server:?} did not start; its tools are missing: {}",
                shown(problem)
            ),
            Self::Ended { server, problem } => write!(
                f,
                "the MCP server {server:?} ended; its tools fail from now on: {}",
                shown(problem)
            ),
            Self::ToolLeftOut { server, tool, problem } => write!(
                f,
                "the tool {tool:?} of the MCP server {server:?} is left out: {}",
                shown(problem)
            ),
            Self::ListCut { server, kept } => write!(
                f,
                "the MCP server {server:?} lists too many tools; the first {kept} are used"
            ),
            Self::Withheld { server, tools } => write!(
                f,
                "the MCP server {server:?} does not say that these tools only read, so they are left out: {}; \
                 to allow one: --allow-tools {}",
                named(tools),
                shown(&format!("{server}/{}", tools.first().map_or("TOOL", String::as_str)))
            ),
            Self::NoSuchTool { place, name } => {
                write!(f, "{place} names {name:?}, and no MCP server that runs has such a tool")
            }
            Self::ListChanged { server } => write!(
                f,
                "the MCP server {server:?} says that it has other tools now; this session goes on with those of its start"
            ),
            Self::CallFailed { call_id, cause: Some(cause) } => {
                write!(f, "the call {call_id:?} failed: {cause}")
            }
            Self::CallFailed { call_id, cause: None } => write!(f, "the call {call_id:?} failed"),
            Self::OutputCut { server, tool, bytes, kept_tokens } => write!(
                f,
                "{} gave {bytes} bytes of text; about {kept_tokens} tokens of them are kept, the middle is left out",
                shown(&format!("{server}/{tool}"))
            ),
        }
    }
}

/// Names in a row, as many as anybody reads.
fn named(names: &[String]) -> String {
    let first: Vec<String> = names.iter().take(MOST_NAMES).map(|it| shown(it)).collect();
    let rest = names.len() - first.len();
    let more = if rest > 0 { format!(" and {rest} more") } else { String::new() };
    first.join(", ") + &more
}

/// The words of a server as they can be shown: not too many, and none that would steer a terminal.
fn shown(words: &str) -> String {
    let steers = |it: char| {
        it.is_control()
            || matches!(it, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let mut shown: String =
        words.chars().take(MOST_CHARACTERS).map(|it| if steers(it) { ' ' } else { it }).collect();
    if words.chars().nth(MOST_CHARACTERS).is_some() {
        shown.push('…');
    }
    shown
}

/// Tells the person; nobody may be listening.
#[derive(Debug, Clone)]
pub(super) struct Teller(pub(super) UnboundedSender<McpEvent>);

impl Teller {
    pub(super) fn tell(&self, event: McpEvent) {
        let _ = self.0.send(event);
    }
}
