//! What each line of a session means.

use std::borrow::Cow;
use std::io::{self, Read};
use std::path::PathBuf;

use recto_protocol::Item;
use recto_protocol::rollout::{
    EventMsg, LineKind, RolloutLine, RolloutPayload, SessionMeta, TurnContext,
};

use super::super::fault::{FaultCause, Faults, LineFault, Place};
use super::super::reader::{Record, RolloutReader};
use super::super::speaker::Speaker;
use super::error::ReplayError;
use super::ordinals::Ordinals;
use super::part::{Part, PartEnd};
use super::recorded_turn::RecordPlace;
use super::session::ReplayedSession;
use super::state::State;
use super::turns::{Happening, Mark, Turns};
use super::until::Until;
use super::window::TurnStart;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flow {
    On,
    Stop,
    NeedsPast,
}

/// One run through the lines.
pub(super) struct Replay {
    until: Until,
    state: State,
    turns: Turns,
    ordinals: Ordinals,
    faults: Faults,
    meta: Option<SessionMeta>,
    /// Whether the current file's own meta was seen.
    introduced: bool,
    file: usize,
    lines: u64,
}

impl Replay {
    pub(super) fn new(until: Until, keeps_past: bool) -> Self {
        Self {
            until,
            state: State::new(keeps_past),
            turns: Turns::default(),
            ordinals: Ordinals::default(),
            faults: Faults::default(),
            meta: None,
            introduced: false,
            file: 0,
            lines: 0,
        }
    }

    pub(super) fn read_all<R: Read>(
        &mut self,
        open: &mut dyn FnMut(usize) -> Option<Part<R>>,
        paths: &[PathBuf],
    ) -> Result<Flow, ReplayError> {
        while let Some((source, end)) = open(self.file) {
            self.introduced = false;
            let read = source.and_then(|source| self.read(RolloutReader::new(source), end));
            let flow = read.map_err(|source| ReplayError::Read {
                path: paths.get(self.file).cloned().unwrap_or_default(),
                source,
            })?;
            if flow != Flow::On {
                return Ok(flow);
            }
            self.file += 1;
        }
        Ok(Flow::On)
    }

    fn read<R: Read>(&mut self, mut reader: RolloutReader<R>, end: PartEnd) -> io::Result<Flow> {
        while let Some(record) = reader.next_record()? {
            match record {
                Record::Line(place, line) => {
                    if end.is_reached(place.offset, line.ordinal()) {
                        break;
                    }
                    let flow = self.line(place, &line);
                    if flow != Flow::On {
                        return Ok(flow);
                    }
                }
                Record::Fault(fault) if end.is_reached(fault.place.offset, None) => break,
                Record::Fault(fault) => self.lost(fault),
            }
        }
        Ok(Flow::On)
    }

    /// A line is lost; where it told the world's state, that is not known any more.
    fn lost(&mut self, fault: LineFault) {
        if matches!(fault.type_name.as_deref(), Some("world_state" | "compacted")) {
            self.state.lose_world_state();
        }
        self.faults.push(fault);
    }

    fn line(&mut self, place: Place, line: &RolloutLine<'_>) -> Flow {
        self.lines += 1;
        if let Some(cause) = self.ordinals.observe(line.ordinal()) {
            self.fault(place, line, cause);
        }
        let here = Mark {
            place: RecordPlace { file: self.file, line: place.line, offset: place.offset },
            lengths: self.state.lengths(),
            told: self.state.told().clone(),
        };
        match line.kind() {
            LineKind::TurnContext => {
                let json = line.payload().get();
                let flow = self.happens(Happening::Settings(turn_id_of(json)), here);
                if flow == Flow::On {
                    self.state.turn_context(json);
                }
                return flow;
            }
            LineKind::TokenUsageRecord => {
                self.state.usage(line.payload().get());
                return Flow::On;
            }
            LineKind::ResponseItem => return self.item(place, line, here),
            LineKind::Other => return Flow::On,
            _ => {}
        }
        match line.decode() {
            RolloutPayload::SessionMeta(meta) => self.introduce(meta),
            RolloutPayload::WorldState(record) => {
                let flow = self.happens(Happening::WorldState(record.full), here);
                if record.state.is_none() {
                    self.fault(place, line, FaultCause::OddPayload);
                }
                if flow == Flow::On {
                    self.state.world_state(record);
                }
                return flow;
            }
            RolloutPayload::Compacted(compacted) => {
                let flow = self.happens(Happening::Compacted, here);
                if flow == Flow::On {
                    self.state.compacted(compacted);
                }
                return flow;
            }
            RolloutPayload::EventMsg(event) => return self.event(event, here),
            _ => {
                if matches!(line.kind(), LineKind::WorldState | LineKind::Compacted) {
                    self.state.lose_world_state();
                }
                self.fault(place, line, FaultCause::OddPayload);
            }
        }
        Flow::On
    }

    fn item(&mut self, place: Place, line: &RolloutLine<'_>, here: Mark) -> Flow {
        let Ok(item) = Item::from_record(line.payload()) else {
            self.fault(place, line, FaultCause::OddPayload);
            return Flow::On;
        };
        let happening = match Speaker::of(&item) {
            Speaker::Person => Happening::Person,
            Speaker::Context => Happening::Context,
            Speaker::Attachment => Happening::Attachment,
            Speaker::Model => Happening::Model,
        };
        let flow = self.happens(happening, here);
        if flow == Flow::On {
            self.state.item(item);
        }
        flow
    }

    fn introduce(&mut self, meta: SessionMeta) {
        if self.introduced {
            return;
        }
        self.introduced = true;
        if meta.is_paginated() {
            self.ordinals.require();
        }
        if let Some(id) = &meta.window_id {
            let name = &mut self.state.window().name;
            name.id = Some(id.clone());
            name.first_id.get_or_insert_with(|| id.clone());
        }
        if let Some(provider) = &meta.model_provider {
            self.state.serves(provider);
        }
        let parent = self.meta.take().unwrap_or_default();
        self.meta = Some(SessionMeta {
            base_instructions: meta.base_instructions.clone().or(parent.base_instructions),
            dynamic_tools: Some(meta.dynamic_tools.clone())
                .filter(|tools| !tools.is_empty())
                .unwrap_or(parent.dynamic_tools),
            ..meta
        });
    }

    fn event(&mut self, event: EventMsg, here: Mark) -> Flow {
        match event {
            EventMsg::TaskStarted { turn_id } => self.happens(Happening::Started(turn_id), here),
            EventMsg::TaskComplete { error, .. } => {
                let flow = self.happens(Happening::Ended, here);
                if flow == Flow::On && error.is_some_and(|it| it.is_context_window_exceeded()) {
                    self.state.window().is_full = true;
                }
                flow
            }
            EventMsg::TurnAborted { .. } => self.happens(Happening::Ended, here),
            EventMsg::ThreadRolledBack { num_turns } => {
                if !self.state.keeps_past() {
                    return Flow::NeedsPast;
                }
                if let Some(mark) = self.turns.take_back(num_turns) {
                    self.state.go_back(mark.lengths, mark.told);
                }
                Flow::On
            }
            EventMsg::UserMessage { .. } | EventMsg::Other { .. } => Flow::On,
        }
    }

    /// Takes note of what a line means for turns, and stops before it where the replay was to go no further.
    fn happens(&mut self, happening: Happening, here: Mark) -> Flow {
        let is_answer = matches!(happening, Happening::Model);
        self.turns.observe(happening, here);
        let last = match self.until {
            Until::End => return Flow::On,
            Until::BeforeTurn(turn) => turn.saturating_sub(1),
            Until::Request(turn) | Until::AfterTurn(turn) => turn,
        };
        if let Some(next) = self.turns.mark(last) {
            self.state.go_back(next.lengths, next.told);
            return Flow::Stop;
        }
        let asked = self.turns.last().is_some_and(|turn| turn.from_person);
        if is_answer && asked && self.until == Until::Request(self.turns.len()) {
            return Flow::Stop;
        }
        Flow::On
    }

    fn fault(&mut self, place: Place, line: &RolloutLine<'_>, cause: FaultCause) {
        let type_name = line.type_name().map(Cow::into_owned);
        self.faults.push(LineFault { place, cause, type_name });
    }

    pub(super) fn finish(mut self, paths: &[PathBuf]) -> Result<ReplayedSession, ReplayError> {
        if self.lines == 0 {
            return Err(ReplayError::Empty { path: paths.last().cloned().unwrap_or_default() });
        }
        let held = self.turns.len();
        if let Until::BeforeTurn(asked) | Until::Request(asked) | Until::AfterTurn(asked) =
            self.until
            && !(1..=held).contains(&asked)
        {
            return Err(ReplayError::NoSuchTurn { asked, held });
        }
        let lengths = self.state.lengths();
        let (turns, starts) = self.turns.finish();
        let meta = self.meta.unwrap_or_default();
        let window = std::mem::take(self.state.window());
        Ok(ReplayedSession {
            base_instructions: meta.base_instructions.clone(),
            meta,
            turn_starts: starts
                .into_iter()
                .filter(|start| start.lengths.window == lengths.window)
                .filter(|start| start.lengths.items <= lengths.items)
                .map(|start| TurnStart {
                    items: start.lengths.items,
                    baseline: start.told,
                    is_full: start.lengths.is_full,
                })
                .collect(),
            items: window.items,
            baseline: self.state.told().clone(),
            previous_turn: self.state.last_settings().and_then(TurnContext::from_json),
            usage_reports: window.reports,
            providers: window.providers,
            thread_usage: self.state.thread_usage,
            is_full: window.is_full,
            window: window.name,
            turns,
            next_ordinal: self.ordinals.next(),
            files: Vec::new(),
            faults: self.faults,
        })
    }
}

/// The name of the turn that some settings are of; found at their beginning, where most programs write it.
fn turn_id_of(json: &str) -> Option<String> {
    let leading = json.strip_prefix(r#"{"turn_id":""#).and_then(|rest| rest.split_once('"'));
    match leading {
        Some((id, _)) if !id.contains('\\') => Some(id.to_owned()),
        _ => TurnContext::from_json(json)?.turn_id,
    }
}
