//! What a replay has so far, and how it goes back.

use recto_protocol::Item;
use recto_protocol::rollout::{Compacted, WorldStateRecord};
use serde_json::Value;

use super::window::{Baseline, ContextWindow};
use crate::context::{CompactionSummary, ContextualUserFragment, RenderedFragment};
use crate::history::compaction::kept_messages;
use crate::history::merge_contextual_fragments;
use crate::world_state::{WorldStateSnapshot, apply_merge_patch};

/// How much there was at some place.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Lengths {
    /// The window, counted from 1 over all that ever were.
    pub(super) window: usize,
    /// The items in it.
    pub(super) items: usize,
    world: usize,
    settings: usize,
}

/// The items of one context window.
#[derive(Debug, Default)]
pub(super) struct Window {
    pub(super) items: Vec<Item>,
    pub(super) name: ContextWindow,
}

#[derive(Debug)]
enum WorldEvent {
    Full(Value),
    Patch(Value),
    /// The model was told something, and nobody knows what.
    Unknown,
    /// Everything that the model was told is gone.
    Gone,
}

/// The state of a replay.
#[derive(Debug)]
pub(super) struct State {
    /// Whether it can go back; otherwise only what stands now is kept.
    keeps_past: bool,
    windows: Vec<Window>,
    /// Windows that are not kept any more.
    dropped: usize,
    world: Vec<WorldEvent>,
    settings: Vec<Box<str>>,
    /// The last record of what a response cost, in this window.
    pub(super) usage: Option<Box<str>>,
}

impl State {
    pub(super) fn new(keeps_past: bool) -> Self {
        Self {
            keeps_past,
            windows: vec![Window::default()],
            dropped: 0,
            world: Vec::new(),
            settings: Vec::new(),
            usage: None,
        }
    }

    pub(super) fn keeps_past(&self) -> bool {
        self.keeps_past
    }

    pub(super) fn lengths(&self) -> Lengths {
        Lengths {
            window: self.windows.len() + self.dropped,
            items: self.windows.last().map_or(0, |window| window.items.len()),
            world: self.world.len(),
            settings: self.settings.len(),
        }
    }

    /// Goes back; only in a state that keeps its past.
    pub(super) fn go_back(&mut self, to: Lengths) {
        self.windows.truncate(to.window.saturating_sub(self.dropped).max(1));
        self.window().items.truncate(to.items);
        self.world.truncate(to.world);
        self.settings.truncate(to.settings);
        self.usage = None;
    }

    pub(super) fn item(&mut self, item: Item) {
        self.window().items.push(item);
    }

    pub(super) fn turn_context(&mut self, json: &str) {
        if !self.keeps_past {
            self.settings.clear();
        }
        self.settings.push(json.into());
        if matches!(self.world.last(), None | Some(WorldEvent::Gone)) {
            self.world.push(WorldEvent::Unknown);
        }
    }

    pub(super) fn world_state(&mut self, record: WorldStateRecord) {
        let event = match record.state {
            Some(state) if record.full => WorldEvent::Full(state),
            Some(patch) => WorldEvent::Patch(patch),
            None => WorldEvent::Unknown,
        };
        if record.full && !self.keeps_past {
            self.world.clear();
        }
        self.world.push(event);
    }

    /// What the model was told is not known any more.
    pub(super) fn lose_world_state(&mut self) {
        self.world.push(WorldEvent::Unknown);
    }

    pub(super) fn compacted(&mut self, compacted: Compacted) {
        let before = &self.window().name;
        let name = ContextWindow {
            number: compacted.window_number.unwrap_or(before.number + 1),
            first_id: compacted.first_window_id.or_else(|| before.first_id.clone()),
            previous_id: compacted.previous_window_id.or_else(|| before.id.clone()),
            id: compacted.window_id,
        };
        // Old files say the summary alone; the context was told anew after it.
        let (items, event) = match compacted.replacement_history {
            Some(items) => (items, WorldEvent::Unknown),
            None => (self.replacement_of(&compacted.message), WorldEvent::Gone),
        };
        if !self.keeps_past {
            self.dropped += self.windows.len();
            self.windows.clear();
            self.world.clear();
        }
        self.world.push(event);
        self.usage = None;
        self.windows.push(Window { items, name });
    }

    fn replacement_of(&self, message: &str) -> Vec<Item> {
        let items = self.windows.last().map_or(&[][..], |window| &window.items);
        let mut kept = kept_messages(items.iter());
        let start = CompactionSummary::markers().start;
        let words = message.strip_prefix(start).map(|words| words.trim_start_matches('\n'));
        let summary = words.unwrap_or(message).to_owned();
        let summary = RenderedFragment::of(&CompactionSummary { summary });
        kept.extend(merge_contextual_fragments([summary]));
        kept
    }

    /// The current window.
    pub(super) fn window(&mut self) -> &mut Window {
        if self.windows.is_empty() {
            self.windows.push(Window::default());
        }
        let last = self.windows.len() - 1;
        &mut self.windows[last]
    }

    /// The settings of the last turn.
    pub(super) fn last_settings(&self) -> Option<&str> {
        self.settings.last().map(|json| &**json)
    }

    /// What the model was told of the world.
    pub(super) fn baseline(&self) -> Baseline {
        let start = self.world.iter().rposition(|event| !matches!(event, WorldEvent::Patch(_)));
        let Some(start) = start else {
            return if self.world.is_empty() { Baseline::Absent } else { Baseline::Unknown };
        };
        let mut state = match &self.world[start] {
            WorldEvent::Full(state) => state.clone(),
            WorldEvent::Gone if start + 1 == self.world.len() => return Baseline::Absent,
            _ => return Baseline::Unknown,
        };
        for event in &self.world[start + 1..] {
            if let WorldEvent::Patch(patch) = event {
                apply_merge_patch(&mut state, patch);
            }
        }
        match state {
            Value::Object(state) => Baseline::Known(WorldStateSnapshot::from_json(state)),
            _ => Baseline::Unknown,
        }
    }
}
