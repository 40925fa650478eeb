//! Takes up what people said: at the start of a turn and while it runs.

use recto_protocol::Item;

use super::event::SessionEvent;
use super::hooks::context_items;
use super::inputs::{Interrupts, Line, TurnInput, UserInput};
use super::messages::{additional_context, said};
use super::pictures::Picture;
use super::session::Session;
use super::settings::SettingsOverrides;
use super::step::StepContext;
use super::stop::Stop;
use super::turn_state::Turn;

/// How an input comes to be heard.
#[derive(Debug, Clone, Copy)]
pub(super) enum Heard<'a> {
    /// As the turn's own, in this step; it alone is looked through for skills.
    Own(&'a StepContext),
    /// As the turn's own, which nobody will answer any more.
    Unanswered,
    /// While the turn ran.
    Late,
}

impl Heard<'_> {
    fn line(self) -> Line {
        match self {
            Self::Own(_) | Self::Unanswered => Line::Fresh,
            Self::Late => Line::Pending,
        }
    }
}

impl Session {
    /// Takes up what came while the turn ran; tells whether the model is asked something by it.
    ///
    /// Settings that come with it are told before it. Nobody looks for skills in it: it steers, it asks for nothing
    /// anew.
    pub(super) async fn hear_pending(&mut self, turn: &mut Turn) -> Result<bool, Stop> {
        let mut is_asked = false;
        while let Some(TurnInput { input, overrides, output_schema }) = self.handle.first_pending()
        {
            if output_schema.is_some() {
                turn.output_schema = output_schema;
            }
            if overrides != SettingsOverrides::default() {
                self.apply(&overrides);
                self.step(turn).await?;
            }
            is_asked |= self.hear_late(input, &mut turn.interrupts).await?;
            turn.has_heard = true;
        }
        Ok(is_asked)
    }

    /// Takes up one input that came while the turn ran; tells whether the model is asked something by it.
    pub(super) async fn hear_late(
        &mut self,
        input: UserInput,
        interrupts: &mut Interrupts,
    ) -> Result<bool, Stop> {
        let blocked = self.hear(input, Heard::Late, interrupts).await?;
        if let Some(reason) = &blocked {
            self.tell(SessionEvent::Notice(format!("a hook kept a prompt back: {reason}")));
        }
        Ok(blocked.is_none())
    }

    /// Puts an input into the conversation, unless a hook keeps it back: then the reason is given.
    ///
    /// The values beside it stand first; behind it what hooks add, the skills and plugins it asks for and what the host injects.
    pub(super) async fn hear(
        &mut self,
        input: UserInput,
        heard: Heard<'_>,
        interrupts: &mut Interrupts,
    ) -> Result<Option<String>, Stop> {
        let typed = input.text.as_deref().unwrap_or_default();
        let (outcomes, blocked) = if input.is_said() {
            self.ask_submit_hooks(typed, interrupts).await?
        } else {
            (Vec::new(), None)
        };
        let asked = match blocked {
            None => self.asked_for(heard, typed).await,
            Some(_) => Vec::new(),
        };
        // From here to the history nothing waits, so that a task that goes away leaves it in one of the two.
        self.handle.forget_first(heard.line());
        let mut items = Vec::new();
        if blocked.is_none() {
            let previous = self.state.replace_additional_context(input.additional_context.clone());
            let changed = input.additional_context.changed_since(&previous);
            items = additional_context(changed);
            items.extend(said(&input));
            if input.is_said() {
                self.state.note_person();
            }
            for problem in input.pictures.iter().filter_map(Picture::problem) {
                self.tell(SessionEvent::Notice(problem));
            }
        }
        items.extend(context_items(&outcomes));
        if blocked.is_none() {
            items.extend(asked);
            items.extend(input.injected);
        }
        self.record_items(items).await;
        Ok(blocked)
    }

    /// The skills and plugins that a text asks for.
    ///
    /// A steering input asks for plugins alone, as in the reference: a link to one is never there by accident.
    async fn asked_for(&self, heard: Heard<'_>, text: &str) -> Vec<Item> {
        let mut asked = match heard {
            Heard::Own(step) => self.mentioned_skills(step, text).await,
            Heard::Late => Vec::new(),
            Heard::Unanswered => return Vec::new(),
        };
        asked.extend(self.mentioned_plugins(text));
        asked
    }
}
