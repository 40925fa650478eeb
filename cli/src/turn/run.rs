//! One turn from the command line, from the session's start to the exit code.

use recto_core::session::{TurnEnd, TurnInput};

use super::answer_file::AnswerFile;
use super::args::TurnArgs;
use super::drive::{Outcome, drive};
use super::json_events::JsonEvents;
use super::open::{Start, open};
use super::people::People;
use super::pictures;
use super::view::View;
use crate::env::HostFacts;
use crate::error::CliError;
use crate::exit::ExitStatus;
use crate::place::Place;
use crate::printer::Printer;
use crate::turn_error::TurnError;

/// Runs a turn in a session and shows it.
pub(crate) fn run(
    args: TurnArgs,
    start: Start,
    place: &Place,
    host: HostFacts,
    (mut input, warnings): (TurnInput, Vec<String>),
    printer: &mut Printer,
) -> Result<ExitStatus, CliError> {
    let answer_file = args.output_last_message.map(AnswerFile::open).transpose()?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(CliError::Runtime)?;
    let status = runtime.block_on(async {
        input.input.pictures = pictures::read(&args.image).await?;
        let opened = open(start, place, host, &args.allow_tools).await?;
        let mut view: Box<dyn View> = if args.json {
            Box::new(JsonEvents::new(opened.spent))
        } else {
            Box::new(People::default())
        };
        view.begin(printer, &opened.head)?;
        for warning in warnings.iter().chain(&opened.warnings) {
            view.warn(printer, warning)?;
        }
        let (recorder, tools) = (opened.recorder.clone(), opened.tools.clone());
        let outcome = drive(opened, input, &mut *view, printer).await?;
        let Outcome::Ended(end, shown) = outcome else { return Ok(ExitStatus::Faults) };
        tools.shutdown().await;
        let closed = recorder.close().await;
        keep(answer_file, end.as_ref(), printer)?;
        shown?;
        closed.map_err(TurnError::from)?;
        Ok(match end {
            Some(TurnEnd::Completed { .. }) => ExitStatus::Fine,
            _ => ExitStatus::Faults,
        })
    });
    // Whoever wants to leave at once does not wait for reads that nobody needs any more.
    runtime.shutdown_background();
    status
}

/// Writes the last message where the person wants it.
fn keep(
    file: Option<AnswerFile>,
    end: Option<&TurnEnd>,
    printer: &mut Printer,
) -> Result<(), TurnError> {
    let Some(file) = file else { return Ok(()) };
    if let Some(TurnEnd::Completed { last_message: Some(message) }) = end {
        return file.write(message);
    }
    printer.warning("there is no last message, so its file is empty");
    Ok(())
}
