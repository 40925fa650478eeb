//! Follows a record from request to request.

use recto_protocol::rollout::TurnContext;
use recto_protocol::{BaseInstructions, BaseInstructionsSource, Item, ResponseItem, TokenUsage};

use super::super::replay::{
    RecordedTurn, ReplayError, ReplayedSession, RolloutChain, replacement_of,
};
use super::super::transcript::{Happened, SectionChange, TranscriptEntry, changes, transcript};
use super::prefix::Input;
use super::request::{Break, BreakCause, Kept, SentRequest};
use crate::history::{Audience, History};
use crate::world_state::WorldStateSnapshot;

/// The requests of a recorded session, each beside the one before; `session` is what a replay to its end found.
///
/// A request is known by its answer: one that was not answered leaves none. `audience` says what a model at a provider
/// can be shown. The record is read once, and an item costs the same however many requests it goes out with.
pub fn sent_requests(
    chain: &RolloutChain,
    session: &ReplayedSession,
    audience: impl FnMut(Option<&str>, &str) -> Audience,
) -> Result<Vec<SentRequest>, ReplayError> {
    let provider = session.meta.model_provider.clone().unwrap_or_default();
    let mut follower = Follower::new(&session.turns, provider, audience);
    transcript(chain, &session.turns, |entry| follower.follow(&entry))?;
    Ok(follower.requests)
}

/// How things stand at some place.
#[derive(Debug, Clone, Default)]
struct Stand {
    history: History,
    /// What the model was told of the world.
    told: WorldStateSnapshot,
}

/// A request that was made.
#[derive(Debug, Clone, Default)]
struct Sent {
    input: Input,
    told: WorldStateSnapshot,
    reader: Reader,
}

/// Who reads a request.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Reader {
    model: Option<String>,
    provider: String,
}

struct Follower<'a, F> {
    turns: &'a [RecordedTurn],
    audience: F,
    reader: Reader,
    turn: usize,
    now: Stand,
    /// How things stood before each turn that began, and whether that turn was taken back so far.
    before: Vec<(Stand, bool)>,
    /// Whether what comes from the model belongs to the answer that is being recorded.
    is_answering: bool,
    /// Whether the model reads something new with the next request.
    is_heard: bool,
    /// What happened since the last request that changes what went out before.
    since: Vec<BreakCause>,
    last: Option<Sent>,
    requests: Vec<SentRequest>,
}

impl<'a, F: FnMut(Option<&str>, &str) -> Audience> Follower<'a, F> {
    fn new(turns: &'a [RecordedTurn], provider: String, mut audience: F) -> Self {
        let history = History::new(audience(None, &provider));
        Self {
            turns,
            audience,
            reader: Reader { model: None, provider },
            turn: 0,
            now: Stand { history, told: WorldStateSnapshot::default() },
            before: Vec::new(),
            is_answering: false,
            is_heard: false,
            since: Vec::new(),
            last: None,
            requests: Vec::new(),
        }
    }

    fn follow(&mut self, entry: &TranscriptEntry) {
        while self.turn < entry.turn {
            self.turn += 1;
            self.is_answering = false;
            self.before.push((self.now.clone(), false));
        }
        match &entry.what {
            Happened::Did(item) if is_answer(item) => {
                self.answer(entry);
                self.now.history.record([item.clone()]);
            }
            Happened::Told(item) | Happened::Said(item) | Happened::Did(item) => {
                self.hear(item.clone());
            }
            Happened::Usage(usage) => {
                self.answer(entry);
                self.cost(*usage);
            }
            Happened::State { full, changes } => self.tell(*full, changes.as_deref()),
            Happened::Settings(context) => self.read_by(context),
            Happened::Compacted { message, items } => self.compact(message, items.as_deref()),
            Happened::TakenBack { turns } => self.take_back(*turns),
            Happened::Ended | Happened::Failed(_) | Happened::Aborted(_) => {
                self.is_answering = false;
            }
            Happened::SettingsApplied | Happened::Fault(_) => {}
        }
    }

    /// Something that the model reads with the next request.
    fn hear(&mut self, item: Item) {
        (self.is_answering, self.is_heard) = (false, true);
        self.now.history.record([item]);
    }

    /// Something of an answer; the first of it says that there was a request.
    fn answer(&mut self, entry: &TranscriptEntry) {
        if self.is_answering {
            return;
        }
        (self.is_answering, self.is_heard) = (true, false);
        let nothing =
            BaseInstructions { text: String::new(), source: BaseInstructionsSource::Session };
        let history = &self.now.history;
        let prompt = history.for_prompt(nothing, Vec::new(), history.audience());
        let last = self.last.take().unwrap_or_default();
        let sent = Sent {
            input: Input::of(prompt.input, &last.input),
            told: self.now.told.clone(),
            reader: self.reader.clone(),
        };
        let causes = std::mem::take(&mut self.since);
        self.requests.push(SentRequest {
            turn: entry.turn,
            place: entry.place,
            time: entry.time.clone(),
            items: sent.input.len(),
            bytes: sent.input.bytes(),
            asks_for_summary: false,
            kept: (!self.requests.is_empty()).then(|| kept(&last, &sent, causes)),
            usage: None,
        });
        self.last = Some(sent);
    }

    /// The end of an answer.
    fn cost(&mut self, usage: TokenUsage) {
        self.is_answering = false;
        if let Some(request) = self.requests.last_mut() {
            request.usage = Some(usage);
        }
    }

    fn tell(&mut self, full: bool, changes: Option<&[SectionChange]>) {
        if full || changes.is_none() {
            self.now.told = WorldStateSnapshot::default();
        }
        for SectionChange { section, after, .. } in changes.into_iter().flatten() {
            self.now.told.set(section, after.clone());
        }
    }

    fn read_by(&mut self, context: &TurnContext) {
        if context.model.is_some() {
            self.reader.model.clone_from(&context.model);
        }
        if let Some(provider) = &context.model_provider {
            self.reader.provider.clone_from(provider);
        }
        self.speak_to_reader();
    }

    fn speak_to_reader(&mut self) {
        let Reader { model, provider } = &self.reader;
        let audience = (self.audience)(model.as_deref(), provider);
        self.now.history.set_audience(&audience);
    }

    fn compact(&mut self, message: &str, items: Option<&[Item]>) {
        // Nothing was said since that request, so its answer is the summary.
        if let Some(request) = self.requests.last_mut() {
            request.asks_for_summary = request.turn == self.turn && !self.is_heard;
        }
        self.is_answering = false;
        let items = match items {
            Some(items) => items.to_vec(),
            None => replacement_of(self.now.history.items(), message),
        };
        self.now.history.replace(items);
        self.since.push(BreakCause::Compacted);
    }

    /// Goes back to before the last turns of a person.
    fn take_back(&mut self, count: u64) {
        let mut left = count;
        for (turn, (stand, is_gone)) in self.turns.iter().zip(&mut self.before).rev() {
            if left == 0 {
                break;
            }
            if *is_gone {
                continue;
            }
            *is_gone = true;
            self.now = stand.clone();
            left -= u64::from(turn.from_person);
        }
        self.is_answering = false;
        self.speak_to_reader();
        self.since.push(BreakCause::TakenBack { turns: count });
    }
}

fn kept(before: &Sent, now: &Sent, mut causes: Vec<BreakCause>) -> Kept {
    let common = before.input.common_with(&now.input);
    let others = other_reader(&before.reader, &now.reader);
    let is_broken = common.difference.is_some() || !others.is_empty();
    causes.extend(others);
    if causes.is_empty() {
        causes.push(BreakCause::LateOutput);
    }
    let state = changes(&before.told, &now.told);
    let broken = is_broken.then_some(Break { causes, first: common.difference, state });
    Kept { items: common.items, bytes: common.bytes, of: before.input.bytes(), broken }
}

/// How the reader is another one, as far as the record says who they are.
fn other_reader(before: &Reader, now: &Reader) -> Vec<BreakCause> {
    let mut causes = Vec::new();
    if before.provider != now.provider && !before.provider.is_empty() {
        let (before, now) = (before.provider.clone(), now.provider.clone());
        causes.push(BreakCause::OtherProvider { before, now });
    }
    if let (Some(before), Some(now)) = (&before.model, &now.model)
        && before != now
    {
        causes.push(BreakCause::OtherModel { before: before.clone(), now: now.clone() });
    }
    causes
}

/// Whether only a model can have made an item. What a call gave back comes from the program, and of an item that nobody
/// knows it cannot be told.
fn is_answer(item: &Item) -> bool {
    !matches!(
        &*item.decoded(),
        ResponseItem::FunctionCallOutput(_)
            | ResponseItem::NamedOutput(_)
            | ResponseItem::CustomToolCallOutput(_)
            | ResponseItem::ToolSearchOutput(_)
            | ResponseItem::Other(_)
    )
}
