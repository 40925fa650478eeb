//! What people say to a session while it works: nothing that was accepted is lost, and nothing is said twice.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use recto_context_fragments::AdditionalContext;
use recto_protocol::{Item, OutputSchema};
use tokio::sync::watch;

use super::pictures::Picture;
use super::settings::SettingsOverrides;

/// What a person gives a turn.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UserInput {
    /// What they typed; none where they only look.
    pub text: Option<String>,
    /// Pictures that they give; they stand before what is typed.
    pub pictures: Vec<Picture>,
    /// Values from outside that stand beside it.
    pub additional_context: AdditionalContext,
    /// Items that the host puts into the conversation behind it, as they are.
    pub injected: Vec<Item>,
}

impl UserInput {
    /// Typed text alone.
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: Some(text.into()), ..Self::default() }
    }

    /// Whether the person says anything.
    pub(super) fn is_said(&self) -> bool {
        self.text.is_some() || !self.pictures.is_empty()
    }
}

/// An input, and what is to change before the turn that it starts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TurnInput {
    /// The input.
    pub input: UserInput,
    /// Settings that change with it, and stay changed.
    pub overrides: SettingsOverrides,
    /// The shape that the turn's last message is to have, for that turn alone.
    ///
    /// An input that joins a turn and brings one changes the turn's from then on.
    pub output_schema: Option<OutputSchema>,
}

/// What becomes of an input that was accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Accepted {
    /// It starts a turn: whoever gave it sees to it that [`Session::run_until_idle`](super::Session::run_until_idle)
    /// runs.
    StartsTurn,
    /// The turn that runs takes it up.
    JoinsTurn,
}

/// Speaks to a session from anywhere, also while it works.
#[derive(Debug, Clone)]
pub struct SessionHandle(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    queue: Mutex<Queue>,
    interrupts: watch::Sender<u64>,
}

#[derive(Debug, Default)]
struct Queue {
    /// Whether a task takes up what is pending, or will soon; what comes then steers.
    running: bool,
    /// Whether the task is there.
    driven: bool,
    fresh: VecDeque<TurnInput>,
    pending: VecDeque<TurnInput>,
}

/// Where an input waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Line {
    /// For a turn of its own.
    Fresh,
    /// For the turn that runs.
    Pending,
}

/// What the task of a session does next.
#[derive(Debug)]
pub(super) enum Next {
    /// A turn with an input of its own.
    Turn(Box<TurnInput>),
    /// A turn without one: it takes up what came too late for the last.
    Reenter,
    /// Nothing.
    Idle,
}

impl SessionHandle {
    pub(super) fn new() -> Self {
        Self(Arc::new(Shared { queue: Mutex::default(), interrupts: watch::Sender::new(0) }))
    }

    /// Gives an input: to the turn that runs, or to a new one.
    pub fn submit(&self, input: TurnInput) -> Accepted {
        let mut queue = self.queue();
        if queue.running {
            queue.pending.push_back(input);
            return Accepted::JoinsTurn;
        }
        queue.running = true;
        queue.fresh.push_back(input);
        Accepted::StartsTurn
    }

    /// Takes back what is in no conversation yet, in its order; nothing while a task runs the session.
    ///
    /// For a program that ends: whoever gave an input can be told that nobody heard it.
    pub fn take_back(&self) -> Vec<TurnInput> {
        let mut queue = self.queue();
        if queue.driven {
            return Vec::new();
        }
        queue.running = false;
        let fresh: Vec<TurnInput> = queue.fresh.drain(..).collect();
        fresh.into_iter().chain(queue.pending.drain(..)).collect()
    }

    /// Stops the turn that runs now, if one does.
    pub fn interrupt(&self) {
        self.0.interrupts.send_modify(|count| *count += 1);
    }

    /// Sees the interrupts from now on.
    pub(super) fn interrupts(&self) -> Interrupts {
        Interrupts(self.0.interrupts.subscribe())
    }

    /// Gives the next turn, or, under the same lock, says that nothing runs any more.
    ///
    /// Its input stays in the queue until it is in the conversation: a task that goes away loses nothing.
    pub(super) fn next(&self) -> Next {
        let mut queue = self.queue();
        if let Some(input) = queue.fresh.front() {
            return Next::Turn(Box::new(input.clone()));
        }
        if !queue.pending.is_empty() {
            return Next::Reenter;
        }
        queue.running = false;
        Next::Idle
    }

    /// The oldest input that came while a turn ran; it stays until it is in the conversation.
    pub(super) fn first_pending(&self) -> Option<TurnInput> {
        self.queue().pending.front().cloned()
    }

    /// Forgets the oldest input of a line: it is in the conversation, or was kept back or handed back.
    pub(super) fn forget_first(&self, line: Line) {
        let mut queue = self.queue();
        match line {
            Line::Fresh => queue.fresh.pop_front(),
            Line::Pending => queue.pending.pop_front(),
        };
    }

    /// Takes all that came while a turn ran, in its order.
    pub(super) fn drain_pending(&self) -> Vec<TurnInput> {
        self.queue().pending.drain(..).collect()
    }

    pub(super) fn has_pending(&self) -> bool {
        !self.queue().pending.is_empty()
    }

    /// Marks that a task runs, for as long as the guard lives.
    pub(super) fn running(&self) -> RunningGuard {
        let mut queue = self.queue();
        queue.running = true;
        queue.driven = true;
        drop(queue);
        RunningGuard(self.clone())
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.0.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A task that goes away in the middle leaves the queue so that the next input starts a turn again.
#[derive(Debug)]
pub(super) struct RunningGuard(SessionHandle);

impl Drop for RunningGuard {
    fn drop(&mut self) {
        let mut queue = self.0.queue();
        queue.running = false;
        queue.driven = false;
        let late: Vec<TurnInput> = queue.pending.drain(..).collect();
        queue.fresh.extend(late);
    }
}

/// The interrupts that one turn sees.
#[derive(Debug, Clone)]
pub(super) struct Interrupts(watch::Receiver<u64>);

impl Interrupts {
    /// Waits for an interrupt; for ever where no handle is left to send one.
    pub(super) async fn next(&mut self) {
        if self.0.changed().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
