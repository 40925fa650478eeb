//! `recto rollout show --cache`: what a provider could take from its cache.

use recto_core::history::Audience;
use recto_core::model::{DEFAULT_MODEL, find_model};
use recto_core::rollout::{ReplayedSession, RolloutChain, SentRequest, SessionFile, sent_requests};

use crate::error::CliError;
use crate::exit::ExitStatus;
use crate::printer::Printer;
use crate::view::json::pretty;
use crate::view::{cache as as_text, cache_json};

pub(crate) fn run(
    file: &SessionFile,
    chain: &RolloutChain,
    session: &ReplayedSession,
    turn: Option<usize>,
    is_json: bool,
    printer: &mut Printer,
) -> Result<ExitStatus, CliError> {
    printer.progress("rebuilding the requests");
    let requests = sent_requests(chain, session, |model, provider| {
        Audience::new(&find_model(model.unwrap_or(DEFAULT_MODEL)).info, provider)
    });
    printer.progress_done();
    let requests: Vec<(usize, SentRequest)> = (1..)
        .zip(requests?)
        .filter(|(_, request)| turn.is_none_or(|turn| request.turn == turn))
        .collect();
    if is_json {
        printer.data(&pretty(&cache_json::document(file, session, &requests)))?;
    } else {
        printer.styled(&as_text::render(session, &requests))?;
    }
    Ok(ExitStatus::Fine)
}
