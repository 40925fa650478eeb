//! Runs a session to the end of its turn, shows what happens, and listens to whoever wants it to stop.

use std::pin::pin;

use recto_core::session::{SessionEvent, TurnEnd, TurnInput};
use recto_core::tools::mcp::McpEvent;

use super::open::Opened;
use super::signals::Stops;
use super::view::View;
use crate::error::CliError;
use crate::printer::Printer;
use crate::turn_error::TurnError;

/// How it went.
#[derive(Debug)]
pub(super) enum Outcome {
    /// The turn came to an end, whichever; standard output may be gone.
    Ended(Option<TurnEnd>, Result<(), CliError>),
    /// The person wanted to stop twice and does not wait for the record.
    Left,
}

/// Gives an input and waits for the end of its turn.
///
/// The first wish to stop interrupts the turn, which is then recorded; the second leaves at once. Where nobody reads
/// the answer any more the turn is interrupted too.
pub(super) async fn drive(
    opened: Opened,
    input: TurnInput,
    view: &mut dyn View,
    printer: &mut Printer,
) -> Result<Outcome, CliError> {
    let mut stops = Stops::listen().map_err(TurnError::Signals)?;
    let Opened { mut session, mut events, mut tool_events, .. } = opened;
    let handle = session.handle();
    let mut shown = Ok(());
    let mut is_stopped = false;
    let mut is_told = false;
    let ends = {
        let mut turn = pin!(session.run(input));
        loop {
            tokio::select! {
                biased;
                () = stops.next() => {
                    if std::mem::replace(&mut is_stopped, true) {
                        return Ok(Outcome::Left);
                    }
                    handle.interrupt();
                }
                // Before the session's own: a call that failed is known to have when its output comes.
                Some(event) = tool_events.recv() => {
                    shown = shown.and_then(|()| tell(event, view, printer));
                }
                Some(event) = events.recv() => {
                    if shown.is_ok() && is_news(&event, &mut is_told) {
                        shown = view.show(printer, &event);
                        if shown.is_err() {
                            handle.interrupt();
                        }
                    }
                }
                ends = &mut turn => break ends,
            }
        }
    };
    while let Ok(event) = events.try_recv() {
        if shown.is_ok() && is_news(&event, &mut is_told) {
            shown = view.show(printer, &event);
        }
    }
    Ok(Outcome::Ended(ends.into_iter().next_back(), shown))
}

/// Whether something is to be shown. A disk that is full is full each time: that is said once.
fn is_news(event: &SessionEvent, is_told: &mut bool) -> bool {
    match event {
        SessionEvent::NotRecorded(_) => !std::mem::replace(is_told, true),
        _ => true,
    }
}

/// What the person should know of the tools.
fn tell(event: McpEvent, view: &mut dyn View, printer: &mut Printer) -> Result<(), CliError> {
    if let McpEvent::CallFailed { call_id, cause } = event {
        view.call_failed(&call_id, cause.as_deref());
        return Ok(());
    }
    view.warn(printer, &event.to_string())
}
