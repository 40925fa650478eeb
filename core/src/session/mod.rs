//! A session: what stands from turn to turn, and how a step of it becomes a prompt.

mod clock;
mod first_prompt;
mod provenance;
mod step;

pub use clock::{Clock, LocalTime};
pub use first_prompt::{UserInput, first_prompt};
pub use provenance::{Origin, Provenance, provenance};
pub use step::{Session, SessionSettings, StepContext};
