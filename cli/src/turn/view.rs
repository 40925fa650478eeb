//! What those who show a turn have in common, be it for people or for programs.

use recto_core::session::SessionEvent;

use crate::error::CliError;
use crate::printer::Printer;

/// Which session runs, and where.
#[derive(Debug, Clone)]
pub(super) struct Head {
    pub(super) thread_id: String,
    pub(super) cwd: String,
    pub(super) model: String,
    pub(super) provider: String,
    /// The session that this one was forked from just now.
    pub(super) forked_from: Option<String>,
}

/// Shows what happens.
pub(super) trait View {
    /// A session is there.
    fn begin(&mut self, printer: &mut Printer, head: &Head) -> Result<(), CliError>;

    /// The person should know something that does not stop the turn.
    fn warn(&mut self, printer: &mut Printer, message: &str) -> Result<(), CliError>;

    /// A call failed; with the cause where the tool did not say so itself.
    fn call_failed(&mut self, call_id: &str, cause: Option<&str>);

    /// Something happened in the session.
    fn show(&mut self, printer: &mut Printer, event: &SessionEvent) -> Result<(), CliError>;
}
