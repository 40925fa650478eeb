//! What the person configured: one small struct per concern, read from layers of TOML.

mod agents_md;

pub use agents_md::AgentsMdConfig;
