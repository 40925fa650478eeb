//! `recto prompt`: the first step of the engine that runs turns, shown instead of sent.

use std::ffi::OsString;

use clap::{Args, ValueEnum};
use recto_core::session::{UserInput, first_prompt};
use recto_protocol::responses::ResponsesRequest;
use recto_protocol::{Item, Prompt, ResponseItem, WireKind};

use crate::engine::{self, Captured};
use crate::env::HostFacts;
use crate::error::CliError;
use crate::exit::ExitStatus;
use crate::inputs::{ContextArgs, prompt_text};
use crate::place::{Place, PlaceArgs};
use crate::printer::Printer;
use crate::view::diagnostics::{self, Diagnostic};
use crate::view::json::{for_terminals, pretty};
use crate::view::{prompt_json, prompt_text as as_text};

/// Print what the model would be sent now
#[derive(Debug, Args)]
pub(crate) struct PromptArgs {
    #[command(flatten)]
    place: PlaceArgs,
    /// How to print it
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    format: PromptFormat,
    #[command(flatten)]
    context: ContextArgs,
    /// What the user says; `-` reads it from standard input
    #[arg(value_name = "PROMPT")]
    prompt: Option<OsString>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum PromptFormat {
    /// For people: each part with its source and size
    #[default]
    Text,
    /// One document: prompt, provenance, totals, diagnostics
    Json,
    /// The input items, as a JSON array
    Input,
    /// The body of a Responses request
    Responses,
    /// The body of a Responses Lite request
    ResponsesLite,
}

pub(crate) fn run(
    args: PromptArgs,
    before: PlaceArgs,
    printer: &mut Printer,
) -> Result<ExitStatus, CliError> {
    let place = Place::of(before.then(args.place))?;
    let host_facts = HostFacts::read()?;
    let mut context = args.context.read()?;
    let text = prompt_text(args.prompt.as_deref(), &mut context.warnings)?;
    let (captured, found) = engine::block_on(async {
        let captured = engine::capture(&place, host_facts).await?;
        let found = diagnostics::collect(&captured, &place).await;
        Ok((captured, found))
    })?;
    let input = UserInput { text, additional_context: context.values, ..UserInput::default() };
    let prompt = first_prompt(&captured.step.facts, &input, captured.base_instructions.clone());
    let diagnostics: Vec<Diagnostic> =
        context.warnings.into_iter().map(Diagnostic::of_input).chain(found).collect();
    for diagnostic in &diagnostics {
        printer.warning(&diagnostic.to_string());
    }
    print(args.format, &captured, &prompt, &diagnostics, printer)?;
    Ok(ExitStatus::Fine)
}

fn print(
    format: PromptFormat,
    captured: &Captured,
    prompt: &Prompt,
    diagnostics: &[Diagnostic],
    printer: &mut Printer,
) -> Result<(), CliError> {
    let body = |wire: WireKind| {
        let request = ResponsesRequest {
            model: &captured.model.info,
            prompt,
            parallel_tool_calls: true,
            prompt_cache_key: None,
            output_schema: None,
        };
        for_terminals(request.to_json(wire)) + "\n"
    };
    match format {
        PromptFormat::Text => printer.styled(&as_text::render(captured, prompt)),
        PromptFormat::Json => {
            printer.data(&pretty(&prompt_json::document(captured, prompt, diagnostics)))
        }
        PromptFormat::Input => {
            let items: Vec<&ResponseItem> = prompt.input.iter().map(Item::view).collect();
            printer.data(&pretty(&items))
        }
        PromptFormat::Responses => printer.data(&body(WireKind::Responses)),
        PromptFormat::ResponsesLite => printer.data(&body(WireKind::ResponsesLite)),
    }
}
