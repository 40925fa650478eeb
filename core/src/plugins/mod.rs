//! Plugins: what a host says of them, and which of them a person asks for.

mod mentions;
mod plugin;

pub use mentions::mentioned_plugins;
pub use plugin::Plugin;
