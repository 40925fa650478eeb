//! `recto rollout prompt`: the request at any turn, and the next one.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use recto_core::history::Audience;
use recto_core::model::{DEFAULT_MODEL, base_instructions, find_model};
use recto_core::rollout::{ReplayedSession, RolloutChain, Until};
use recto_core::session::next_prompt;
use recto_protocol::responses::ResponsesRequest;
use recto_protocol::{Item, ModelInfo, Prompt, ResponseItem, WireKind};

use crate::engine;
use crate::env::HostFacts;
use crate::error::CliError;
use crate::exit::ExitStatus;
use crate::place::{Place, PlaceArgs};
use crate::printer::Printer;
use crate::recorded::{Recorded, SessionArgs, rebuild};
use crate::view::diagnostics;
use crate::view::json::{for_terminals, pretty};
use crate::view::recorded_prompt;

/// Print the request that a recorded session made at a turn, or the next one that it would make
///
/// Tools are not recorded. The next request holds what is recorded and what would be told today, without what the
/// person will say.
#[derive(Debug, Args)]
pub(crate) struct PromptArgs {
    #[command(flatten)]
    place: PlaceArgs,
    #[command(flatten)]
    session: SessionArgs,
    /// The first request of that turn, from 1; else the next request
    #[arg(long, value_name = "N")]
    turn: Option<usize>,
    /// How to print it
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    format: RecordedFormat,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum RecordedFormat {
    /// For people: each part with its kind and size
    #[default]
    Text,
    /// The input items, as a JSON array
    Input,
    /// The body of a Responses request
    Responses,
    /// The body of a Responses Lite request
    ResponsesLite,
}

/// A request and the model that it is for.
struct Request {
    model: ModelInfo,
    prompt: Prompt,
}

pub(crate) fn run(
    args: PromptArgs,
    before: PlaceArgs,
    printer: &mut Printer,
) -> Result<ExitStatus, CliError> {
    let place = Place::of(before.then(args.place))?;
    let host = HostFacts::read()?;
    let recorded = Recorded::find(&args.session, &place, &host, printer)?;
    let chain: RolloutChain = recorded.chain()?;
    let until = args.turn.map_or(Until::End, Until::Request);
    let session = rebuild(&chain, until, printer)?;
    let request = match args.turn {
        Some(_) => as_it_was(&session),
        None => next(&session, place, host, printer)?,
    };
    print(args.format, &session, &request, printer)?;
    Ok(ExitStatus::Fine)
}

/// What went out then: the record alone says it.
fn as_it_was(session: &ReplayedSession) -> Request {
    let recorded = session.previous_turn.as_ref().and_then(|turn| turn.model.as_deref());
    let model = find_model(recorded.unwrap_or(DEFAULT_MODEL)).info;
    let provider = session.meta.model_provider.as_deref().unwrap_or_default();
    let audience = Audience::new(&model, provider);
    let base = session.base_instructions.as_ref().map(|it| it.text.as_str());
    let history = session.history(&audience);
    let prompt = history.for_prompt(base_instructions(None, base), Vec::new(), &audience);
    Request { model, prompt }
}

/// What would go out now, from where the session worked last.
fn next(
    session: &ReplayedSession,
    mut place: Place,
    host: HostFacts,
    printer: &mut Printer,
) -> Result<Request, CliError> {
    if let Some(cwd) = session.cwd() {
        (place.cwd, place.is_named) = (PathBuf::from(cwd), true);
    }
    let (captured, found) = engine::block_on(async {
        let captured = engine::capture(&place, host).await?;
        let found = diagnostics::collect(&captured, &place).await;
        Ok((captured, found))
    })?;
    for diagnostic in &found {
        printer.warning(&diagnostic.to_string());
    }
    let model = captured.model.info;
    let audience = Audience::new(&model, captured.config.model.provider.as_str());
    let configured = captured.config.instructions.base_instructions.as_ref();
    let recorded = session.base_instructions.as_ref().map(|it| it.text.as_str());
    let base = base_instructions(configured.map(|it| it.text.as_str()), recorded);
    let prompt = next_prompt(session, &captured.step.facts, base, &audience);
    Ok(Request { model, prompt })
}

fn print(
    format: RecordedFormat,
    session: &ReplayedSession,
    Request { model, prompt }: &Request,
    printer: &mut Printer,
) -> Result<(), CliError> {
    let body = |wire: WireKind| {
        let request = ResponsesRequest {
            model,
            prompt,
            parallel_tool_calls: true,
            prompt_cache_key: session.meta.id.as_deref(),
            output_schema: None,
        };
        for_terminals(request.to_json(wire)) + "\n"
    };
    match format {
        RecordedFormat::Text => printer.styled(&recorded_prompt::render(&model.slug, prompt)),
        RecordedFormat::Input => {
            let items: Vec<&ResponseItem> = prompt.input.iter().map(Item::view).collect();
            printer.data(&pretty(&items))
        }
        RecordedFormat::Responses => printer.data(&body(WireKind::Responses)),
        RecordedFormat::ResponsesLite => printer.data(&body(WireKind::ResponsesLite)),
    }
}
