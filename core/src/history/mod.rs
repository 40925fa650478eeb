//! The conversation: what the model saw, in order, and what of it the next request tells.
//!
//! Items are only ever added ([`History::record`]); they go away in two ways only, both of which begin a new window:
//! [`History::replace`] after a compaction and [`History::roll_back`]. What goes out is worked out as items are
//! recorded, so that a step costs what was added and not what is there.

mod assembly;
mod audience;
pub mod compaction;
mod fate;
mod for_prompt;
mod images;
mod log;
mod merge;
mod pairs;
mod person;
mod prepare;
mod recorded;
mod shared_map;
pub mod tokens;

pub use audience::Audience;
pub use fate::{Change, Fate, LeftOut};
pub use images::ImageProblem;
pub(crate) use images::check_picture;
pub use log::{History, RollbackError};
pub use merge::merge_contextual_fragments;
pub use person::is_from_person;
pub(crate) use prepare::PICTURE_AS_TEXT;
