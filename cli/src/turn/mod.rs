//! A turn from the command line: what is said, who serves the session, and what is shown while it runs.

mod answer_file;
mod args;
mod call_result;
mod drive;
mod ids;
mod item;
mod json_events;
mod open;
mod people;
mod pictures;
mod prompt;
mod run;
mod servants;
mod signals;
mod tool_name;
mod totals;
mod view;
mod writing;

pub(crate) use args::TurnArgs;
pub(crate) use open::Start;
pub(crate) use prompt::{InputRule, said};
pub(crate) use run::run;
