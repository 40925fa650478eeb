//! Which plugins a person asks for in what they typed.

use std::collections::BTreeSet;

use crate::skills::{is_in_name, link_target};

/// The ids of the plugins that a text mentions as `[@label](plugin://ID)`.
///
/// Give it what a person typed and nothing else. The label is a name like a skill's, whatever it says; the id counts to
/// its first `?`. A bare `@name` mentions nothing, for people write such names in prose. Rules of the reference.
pub fn mentioned_plugins(text: &str) -> BTreeSet<&str> {
    let mut ids = BTreeSet::new();
    let mut rest = text;
    while let Some((_, label)) = rest.split_once("[@") {
        let (name, behind) =
            label.split_at(label.find(|it| !is_in_name(it)).unwrap_or(label.len()));
        rest = behind;
        let target = (!name.is_empty()).then(|| link_target(behind)).flatten();
        if let Some((path, behind)) = target {
            rest = behind;
            ids.extend(path.strip_prefix("plugin://").and_then(|it| it.split('?').next()));
        }
    }
    ids
}
