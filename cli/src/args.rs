//! What can be typed. Each command's own arguments stand beside the command.

use clap::builder::Styles;
use clap::builder::styling::{AnsiColor, Effects};
use clap::{Parser, Subcommand};

use crate::commands::completions::CompletionsArgs;
use crate::commands::exec::ExecArgs;
use crate::commands::explain::ExplainArgs;
use crate::commands::prompt::PromptArgs;
use crate::commands::resume::ResumeArgs;
use crate::commands::rollout::RolloutArgs;
use crate::place::PlaceArgs;

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().effects(Effects::BOLD))
    .usage(AnsiColor::Green.on_default().effects(Effects::BOLD))
    .literal(AnsiColor::Cyan.on_default().effects(Effects::BOLD))
    .placeholder(AnsiColor::Cyan.on_default());

/// Shows what a coding agent's model reads: every byte of it, from which source, and why
#[derive(Debug, Parser)]
#[command(name = "recto", version, styles = STYLES, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) place: PlaceArgs,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Prompt(PromptArgs),
    Explain(ExplainArgs),
    Exec(ExecArgs),
    Resume(ResumeArgs),
    Rollout(RolloutArgs),
    Completions(CompletionsArgs),
}
