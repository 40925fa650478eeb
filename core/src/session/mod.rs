//! A session: what stands from turn to turn, and how what a person says becomes prompts and answers.

mod answer;
mod clock;
mod compaction;
mod environments;
mod event;
mod facts;
mod first_prompt;
mod hear;
mod hooks;
mod inputs;
mod messages;
mod newly_read;
mod next_prompt;
mod pictures;
mod plugins;
mod provenance;
mod resume;
mod sampling;
#[expect(
    clippy::module_inception,
    reason = "the struct that the module is about has a file of its own"
)]
mod session;
mod settings;
mod skills;
mod state;
mod step;
mod stop;
mod tools;
mod turn;
mod turn_context;
mod turn_state;
mod update;

pub use clock::{Clock, IdSource, LocalTime};
pub use event::{SessionEvent, TurnEnd};
pub use first_prompt::first_prompt;
pub use inputs::{Accepted, SessionHandle, TurnInput, UserInput};
pub use newly_read::{NewSource, NewText, ReadBy, newly_read};
pub use next_prompt::next_prompt;
pub use pictures::{Picture, PictureProblem};
pub use provenance::{Origin, Provenance, provenance};
pub use resume::{ResumeCwdError, resumed_cwd};
pub use session::{Session, SessionParts, SessionServices, ThreadNames};
pub use settings::{
    EnvironmentDetail, PersonalitySetting, SessionSettings, SessionSource, SettingsOverrides,
};
pub use state::SessionState;
pub use step::{SkillHome, StepContext, Surroundings};
