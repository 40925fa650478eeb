//! Sessions that one program records and the other goes on with.

mod app_server;
mod cases;
mod causes;
mod compaction;
mod scene;
mod steps;
mod trial;

pub(crate) use trial::trials;
