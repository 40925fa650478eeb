//! What can be typed. Each command's own arguments stand beside the command.

use std::path::PathBuf;

use clap::builder::Styles;
use clap::builder::styling::{AnsiColor, Effects};
use clap::{Args, Parser, Subcommand, ValueHint};

use crate::commands::completions::CompletionsArgs;
use crate::commands::explain::ExplainArgs;
use crate::commands::prompt::PromptArgs;

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
    Completions(CompletionsArgs),
}

/// Where to look from and with which settings; understood before the command and after it.
#[derive(Debug, Default, Args)]
pub(crate) struct PlaceArgs {
    /// Look from DIR instead of the current directory
    #[arg(short = 'C', long = "cd", value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) cd: Option<PathBuf>,
    /// Set a configuration value: a dotted path and a TOML value
    #[arg(short = 'c', long = "config", value_name = "KEY=VALUE")]
    pub(crate) overrides: Vec<String>,
}

impl PlaceArgs {
    /// Adds what was typed after the command to what was typed before it; the later word wins.
    pub(crate) fn then(mut self, after: Self) -> Self {
        self.overrides.extend(after.overrides);
        Self { cd: after.cd.or(self.cd), overrides: self.overrides }
    }
}
