//! The few styles of our output; each has a meaning, none is the only bearer of it.

use anstyle::{AnsiColor, Style};

/// What a section or a column is called.
pub(crate) const HEADING: Style = Style::new().bold();
/// What stands on the host's side.
pub(crate) const HOST: Style = AnsiColor::Cyan.on_default();
/// What stands on the project's side, and what is well.
pub(crate) const PROJECT: Style = AnsiColor::Green.on_default();
/// What somebody should look at.
pub(crate) const NOTICE: Style = AnsiColor::Yellow.on_default();
/// What failed.
pub(crate) const FAULT: Style = AnsiColor::Red.on_default();
/// What may be passed over.
pub(crate) const QUIET: Style = Style::new().dimmed();

/// A text in a style.
pub(crate) fn paint(style: Style, text: impl std::fmt::Display) -> String {
    format!("{style}{text}{style:#}")
}
