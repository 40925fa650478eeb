//! Asks the model, and runs what it calls.

use std::borrow::Cow;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use recto_protocol::{Item, OutputPayload};
use tokio::sync::mpsc::unbounded_channel;

use super::answer::Answer;
use super::event::SessionEvent;
use super::inputs::Interrupts;
use super::session::Session;
use super::stop::Stop;
use super::turn_state::Turn;
use crate::model::{SampleEvent, SampleRequest};
use crate::rollout::{MAX_OUTPUT_BYTES, RolloutEntry, bound_output};
use crate::tools::{ToolCall, tool_output};

/// Stands in for the output of a call that did not end.
const ABORTED: &str = "aborted";

impl Session {
    /// Asks the model once; its items are recorded when the answer has ended, in the order of the response.
    ///
    /// Only then is it known whether they stand: an answer that breaks off may be asked for again, and the one that
    /// comes then is another. Gives the calls that are to be answered.
    pub(super) async fn sample(&mut self, turn: &mut Turn) -> Result<Vec<ToolCall>, Stop> {
        let prompt = self.prompt();
        let sampler = std::sync::Arc::clone(&self.services.sampler);
        let (model, cache_key) = (self.surroundings.settings.model.clone(), self.cache_key.clone());
        let (sender, mut events) = unbounded_channel();
        let request = SampleRequest {
            model: &model,
            prompt: &prompt,
            cache_key: &cache_key,
            output_schema: turn.output_schema.as_ref(),
        };
        let mut sampling = sampler.sample(request, sender);
        let mut answer = Answer::default();
        let end = loop {
            tokio::select! {
                biased;
                () = turn.interrupts.next() => break Err(Stop::Interrupted),
                Some(event) = events.recv() => self.take(event, &mut answer),
                end = &mut sampling => break end.map_err(Stop::Sample),
            }
        };
        drop(sampling);
        while let Ok(event) = events.try_recv() {
            self.take(event, &mut answer);
        }
        match end {
            Ok(end) => {
                let calls = answer.calls();
                self.record_items(answer.into_items()).await;
                if let Some(usage) = end.usage {
                    self.state.history.note_usage(&usage);
                    self.tell(SessionEvent::Usage(usage));
                    self.record_entries(vec![RolloutEntry::Usage(usage)]).await;
                }
                Ok(calls)
            }
            Err(stop) => {
                let aborted = |call: &ToolCall| tool_output(call, aborted());
                let outputs: Vec<Item> = answer.calls().iter().map(aborted).collect();
                let items = answer.into_items().into_iter().chain(outputs).collect();
                self.record_items(items).await;
                Err(stop)
            }
        }
    }

    fn take(&self, event: SampleEvent, answer: &mut Answer) {
        match event {
            SampleEvent::MessageStarted { phase } => {
                self.tell(SessionEvent::MessageStarted { phase });
            }
            SampleEvent::TextDelta(text) => self.tell(SessionEvent::TextDelta(text)),
            SampleEvent::ReasoningDelta(text) => self.tell(SessionEvent::ReasoningDelta(text)),
            SampleEvent::ItemDone(item) => answer.add(item),
            SampleEvent::Retry { reason } => {
                answer.forget();
                self.tell(SessionEvent::AnswerRestarted { reason });
            }
        }
    }

    /// Runs calls side by side and records their outputs in the order of the calls.
    pub(super) async fn answer_calls(
        &mut self,
        calls: Vec<ToolCall>,
        interrupts: &mut Interrupts,
    ) -> Result<(), Stop> {
        let tools = std::sync::Arc::clone(&self.services.tools);
        let mut outputs: Vec<Option<OutputPayload>> = vec![None; calls.len()];
        let mut running: FuturesUnordered<_> = calls
            .iter()
            .enumerate()
            .map(|(at, call)| {
                let tools = &tools;
                async move { (at, tools.call(call).await) }
            })
            .collect();
        let interrupted = loop {
            tokio::select! {
                biased;
                () = interrupts.next() => break true,
                ended = running.next() => match ended {
                    Some((at, output)) => outputs[at] = Some(self.bounded(&calls[at], output)),
                    None => break false,
                },
            }
        };
        drop(running);
        let items: Vec<Item> = calls
            .iter()
            .zip(outputs)
            .map(|(call, output)| tool_output(call, output.unwrap_or_else(aborted)))
            .collect();
        self.record_items(items).await;
        if interrupted { Err(Stop::Interrupted) } else { Ok(()) }
    }

    /// An output of a size that a record holds, so that the conversation and its record never differ.
    fn bounded(&self, call: &ToolCall, output: OutputPayload) -> OutputPayload {
        match bound_output(&output, MAX_OUTPUT_BYTES) {
            Cow::Borrowed(_) => output,
            Cow::Owned(cut) => {
                self.tell(SessionEvent::Notice(format!(
                    "the output of {} is over {MAX_OUTPUT_BYTES} bytes; its middle was left out",
                    call.name
                )));
                cut
            }
        }
    }
}

/// What stands in place of the output of a call that nobody will run any more.
fn aborted() -> OutputPayload {
    OutputPayload::Text(ABORTED.to_owned())
}
