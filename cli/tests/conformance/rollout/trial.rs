//! Each crossing of the border between the two programs as a test.

use libtest_mimic::{Failed, Trial};

use super::cases::CASES;
use super::scene::Scene;
use crate::programs::Programs;

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
