//! Sessions that one program records and the other goes on with.

mod cases;
mod compaction;
mod scene;
mod steps;
mod trial;

pub(crate) use trial::trials;
