//! Where the reference program is.

#![expect(clippy::disallowed_methods, reason = "tests and measurements look for another program")]

use std::path::{Path, PathBuf};

/// The reference's program itself, not its launcher: `RECTO_REFERENCE`, or where `just conformance` installs it.
pub(crate) fn binary() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("RECTO_REFERENCE") {
        return Some(path.into());
    }
    let vendor = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../target/peer/node_modules/@openai/codex-linux-x64/vendor");
    let platforms = std::fs::read_dir(vendor).ok()?;
    platforms.filter_map(|it| Some(it.ok()?.path().join("bin/codex"))).find(|it| it.is_file())
}
