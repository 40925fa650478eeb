//! `recto explain`: every source, and what became of it.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};

use crate::engine;
use crate::env::HostFacts;
use crate::error::CliError;
use crate::exit::ExitStatus;
use crate::inputs::ContextArgs;
use crate::place::{Place, PlaceArgs};
use crate::printer::Printer;
use crate::reach;
use crate::trust_preview::if_trusted;
use crate::view::diagnostics::{self, Diagnostic, Subject};
use crate::view::finding::Answer;
use crate::view::json::pretty;
use crate::view::report::Report;
use crate::view::{answer, sources, trust_preview};

/// Show which instructions the model reads here, which it does not, and why
#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    #[command(flatten)]
    place: PlaceArgs,
    /// How to print it
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    format: ExplainFormat,
    /// Only tell what the model would newly read if the project were trusted, and what is odd about it
    #[arg(long, conflicts_with_all = ["path", "untrusted", "application"])]
    if_trusted: bool,
    /// Exit with 1 where a file was cut, could not be read or is worth a look, or PATH is not read
    #[arg(long)]
    strict: bool,
    #[command(flatten)]
    context: ContextArgs,
    /// Only tell whether this file reaches the model (relative to DIR)
    #[arg(value_name = "PATH", value_hint = ValueHint::FilePath)]
    path: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum ExplainFormat {
    /// For people
    #[default]
    Text,
    /// One document
    Json,
}

pub(crate) fn run(
    args: ExplainArgs,
    before: PlaceArgs,
    printer: &mut Printer,
) -> Result<ExitStatus, CliError> {
    let place = Place::of(before.then(args.place))?;
    let host_facts = HostFacts::read()?;
    if args.if_trusted {
        let is_odd = print_preview(args.format, &place, host_facts, printer)?;
        return Ok(if args.strict && is_odd { ExitStatus::Faults } else { ExitStatus::Fine });
    }
    let context = args.context.read()?;
    let (report, answer) = engine::block_on(async {
        let captured = engine::capture(&place, host_facts).await?;
        let mut diagnostics: Vec<Diagnostic> =
            context.warnings.iter().cloned().map(Diagnostic::of_input).collect();
        diagnostics.extend(diagnostics::collect(&captured, &place).await);
        let report = Report::of(captured, &context.values, diagnostics).await;
        let answer = match &args.path {
            Some(path) => Some(reach::reach(&report, &place.path(path)).await),
            None => None,
        };
        Ok((report, answer))
    })?;
    let is_faulty = match &answer {
        Some(answer) => print_answer(args.format, &report, answer, printer)?,
        None => print_report(args.format, &report, printer)?,
    };
    Ok(if args.strict && is_faulty { ExitStatus::Faults } else { ExitStatus::Fine })
}

/// Tells what trust would let in; gives whether something is odd about it.
fn print_preview(
    format: ExplainFormat,
    place: &Place,
    host_facts: HostFacts,
    printer: &mut Printer,
) -> Result<bool, CliError> {
    let preview = engine::block_on(if_trusted(place, host_facts))?;
    match format {
        ExplainFormat::Text => printer.styled(&trust_preview::render(&preview))?,
        ExplainFormat::Json => printer.data(&pretty(&trust_preview::document(&preview)))?,
    }
    Ok(preview.is_odd())
}

/// Tells about one path; gives whether it does not reach the model.
fn print_answer(
    format: ExplainFormat,
    report: &Report,
    answer: &Answer,
    printer: &mut Printer,
) -> Result<bool, CliError> {
    for diagnostic in report.diagnostics.iter().filter(|it| it.subject() == Subject::Run) {
        printer.warning(&diagnostic.to_string());
    }
    match format {
        ExplainFormat::Text => printer.styled(&answer::render(report, answer))?,
        ExplainFormat::Json => printer.data(&pretty(&answer::document(answer)))?,
    }
    Ok(!answer.reaches_model)
}

/// Tells about everything; gives whether there are faults. The text holds the warnings itself.
fn print_report(
    format: ExplainFormat,
    report: &Report,
    printer: &mut Printer,
) -> Result<bool, CliError> {
    match format {
        ExplainFormat::Text => printer.styled(&sources::render(report))?,
        ExplainFormat::Json => {
            for diagnostic in &report.diagnostics {
                printer.warning(&diagnostic.to_string());
            }
            printer.data(&pretty(&report.document()))?;
        }
    }
    Ok(report.is_faulty())
}
