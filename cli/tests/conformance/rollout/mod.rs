//! Sessions that one program records and the other goes on with.

mod cases;
mod scene;

use libtest_mimic::{Failed, Trial};

use crate::programs::Programs;
use cases::CASES;
use scene::Scene;

/// The trials; they are skipped where the reference is not installed.
pub(crate) fn trials(programs: Option<&Programs>) -> Vec<Trial> {
    let of_case = |(name, hold): &(&'static str, fn(&Scene) -> Result<(), Failed>)| {
        let (hold, programs) = (*hold, programs.cloned());
        let is_ignored = programs.is_none();
        let run = move || programs.map_or(Ok(()), |programs| hold(&Scene::new(&programs)));
        Trial::test(format!("rollout::{name}"), run).with_ignored_flag(is_ignored)
    };
    CASES.iter().map(of_case).collect()
}
