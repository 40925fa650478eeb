//! Each case as a test.

use libtest_mimic::Trial;

use super::cases::{CASES, Hold};
use super::scene::Scene;
use crate::programs::Programs;

/// The trials; they are skipped where the reference is not installed.
pub(crate) fn trials(programs: Option<&Programs>) -> Vec<Trial> {
    let of_case = |(name, hold): &(&'static str, Hold)| {
        let (hold, programs) = (*hold, programs.cloned());
        let is_ignored = programs.is_none();
        let run = move || programs.map_or(Ok(()), |programs| hold(&Scene::new(&programs)));
        Trial::test(format!("exec::{name}"), run).with_ignored_flag(is_ignored)
    };
    CASES.iter().map(of_case).collect()
}
