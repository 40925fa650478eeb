//! What a replay has so far, and how it goes back.

use memchr::memmem;
use recto_protocol::rollout::{Compacted, TokenUsageRecord, TurnContext, WorldStateRecord};
use recto_protocol::{Item, TokenUsage};
use serde_json::Value;

use super::replacement::replacement_of;
use super::window::{Baseline, ContextWindow, UsageReport};
use crate::world_state::WorldStateSnapshot;

/// How much there was at some place.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Lengths {
    /// The window, counted from 1 over all that ever were.
    pub(super) window: usize,
    /// The items in it.
    pub(super) items: usize,
    reports: usize,
    settings: usize,
    /// Whether the server had said that they no longer fit.
    pub(super) is_full: bool,
}

/// The items of one context window.
#[derive(Debug, Default)]
pub(super) struct Window {
    pub(super) items: Vec<Item>,
    pub(super) reports: Vec<UsageReport>,
    /// From which item on which provider served.
    pub(super) providers: Vec<(usize, Box<str>)>,
    pub(super) name: ContextWindow,
    /// Whether the server said that they no longer fit.
    pub(super) is_full: bool,
}

/// The state of a replay.
#[derive(Debug)]
pub(super) struct State {
    /// Whether it can go back; otherwise only what stands now is kept.
    keeps_past: bool,
    windows: Vec<Window>,
    /// Windows that are not kept any more.
    dropped: usize,
    /// What the model was told of the world.
    told: Baseline,
    settings: Vec<Box<str>>,
    /// What all responses cost together.
    pub(super) thread_usage: TokenUsage,
}

impl State {
    pub(super) fn new(keeps_past: bool) -> Self {
        Self {
            keeps_past,
            windows: vec![Window::default()],
            dropped: 0,
            told: Baseline::Absent,
            settings: Vec::new(),
            thread_usage: TokenUsage::default(),
        }
    }

    pub(super) fn keeps_past(&self) -> bool {
        self.keeps_past
    }

    pub(super) fn lengths(&self) -> Lengths {
        let window = self.windows.last();
        Lengths {
            window: self.windows.len() + self.dropped,
            items: window.map_or(0, |window| window.items.len()),
            reports: window.map_or(0, |window| window.reports.len()),
            settings: self.settings.len(),
            is_full: window.is_some_and(|window| window.is_full),
        }
    }

    /// What the model was told of the world.
    pub(super) fn told(&self) -> &Baseline {
        &self.told
    }

    /// Goes back to where there was so much and so much was told; only in a state that keeps its past.
    pub(super) fn go_back(&mut self, to: Lengths, told: Baseline) {
        self.windows.truncate(to.window.saturating_sub(self.dropped).max(1));
        let window = self.window();
        window.items.truncate(to.items);
        window.reports.truncate(to.reports);
        window.is_full = to.is_full;
        window.providers.retain(|(start, _)| *start <= to.items);
        self.settings.truncate(to.settings);
        self.told = told;
    }

    /// Takes note of what a response cost, with everything that stands before it.
    pub(super) fn usage(&mut self, json: &str) {
        let Some(record) = TokenUsageRecord::from_json(json) else { return };
        self.thread_usage = record.thread_token_usage.unwrap_or(self.thread_usage);
        let window = self.window();
        window.reports.push(UsageReport { items: window.items.len(), usage: record.usage });
    }

    pub(super) fn item(&mut self, item: Item) {
        self.window().items.push(item);
    }

    pub(super) fn turn_context(&mut self, json: &str) {
        if !self.keeps_past {
            self.settings.clear();
        }
        self.settings.push(json.into());
        if let Some(provider) = provider_of(json) {
            self.serves(&provider);
        }
        if self.told == Baseline::Absent {
            self.told = Baseline::Unknown;
        }
    }

    /// A provider serves from here on.
    pub(super) fn serves(&mut self, provider: &str) {
        let window = self.window();
        if window.providers.last().is_none_or(|(_, last)| **last != *provider) {
            window.providers.push((window.items.len(), provider.into()));
        }
    }

    pub(super) fn world_state(&mut self, record: WorldStateRecord) {
        match (record.state, &mut self.told) {
            (Some(Value::Object(state)), told) if record.full => {
                *told = Baseline::Known(WorldStateSnapshot::from_json(state));
            }
            (Some(patch @ Value::Object(_)), Baseline::Known(told)) => told.apply(&patch),
            _ => self.told = Baseline::Unknown,
        }
    }

    /// What the model was told is not known any more.
    pub(super) fn lose_world_state(&mut self) {
        self.told = Baseline::Unknown;
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
        let (items, told) = match compacted.replacement_history {
            Some(items) => (items, Baseline::Unknown),
            None => {
                (replacement_of(self.window().items.iter(), &compacted.message), Baseline::Absent)
            }
        };
        let providers = self.window().providers.last().map(|(_, provider)| (0, provider.clone()));
        let providers = Vec::from_iter(providers);
        if !self.keeps_past {
            self.dropped += self.windows.len();
            self.windows.clear();
        }
        self.told = told;
        self.windows.push(Window { items, providers, name, ..Window::default() });
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
}

/// The provider that some settings name; most name none, and are not decoded for that.
fn provider_of(json: &str) -> Option<String> {
    memmem::find(json.as_bytes(), br#""model_provider""#)?;
    TurnContext::from_json(json)?.model_provider
}
