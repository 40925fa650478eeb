//! Sessions that one program records and the other goes on with.

mod cases;
mod scene;
mod trial;

pub(crate) use trial::trials;
