//! `recto exec` and `recto resume` beside `codex exec` and `codex exec resume`: what they print, what they send, and
//! what one makes of the other's session.

mod cases;
mod events;
mod requests;
mod scene;
mod trial;

pub(crate) use trial::trials;
