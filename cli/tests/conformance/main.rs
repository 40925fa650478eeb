//! Compares what the model would read with what the reference program would give it, case by case.
//!
//! A case is a fixture (see `recto_core::testing::Fixture`) in a file under `cases/`. Both programs run in the same
//! directory tree with the same environment, made from nothing. `just conformance` installs the reference and runs this.

mod aspect;
mod exec;
mod litellm;
mod mcp;
mod ours;
mod programs;
mod reference;
mod rollout;
mod sequence;
#[path = "../support/mod.rs"]
mod support;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use recto_core::testing::Case;

use aspect::Aspect;
use programs::{Programs, Runs};

/// Cases at once; the reference alone keeps a core busy.
const THREADS: usize = 2;

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    arguments.test_threads.get_or_insert(THREADS);
    let reference = reference::binary();
    let is_missing = [
        ("the reference", reference.is_none()),
        ("MCP servers", !mcp::are_installed()),
        ("a LiteLLM proxy", !litellm::is_installed()),
    ];
    for (name, _) in is_missing.iter().filter(|it| it.1) {
        report_missing(name);
    }
    if is_ci() && is_missing.iter().any(|it| it.1) {
        return ExitCode::FAILURE;
    }
    let sequences = sequence::trials(reference.as_ref());
    let programs = reference.map(Programs::new);
    let of_cases = cases().into_iter().map(|(file, case)| trial(&file, case, programs.clone()));
    let trials = of_cases
        .chain(sequences)
        .chain(rollout::trials(programs.as_ref()))
        .chain(mcp::trials(programs.as_ref()))
        .chain(exec::trials(programs.as_ref()))
        .chain(litellm::trials());
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}

#[expect(clippy::print_stderr, reason = "the one line that says why nothing was compared")]
fn report_missing(name: &str) {
    eprintln!("conformance skipped: {name} not installed (just conformance)");
}

#[expect(clippy::disallowed_methods, reason = "CI must not skip")]
fn is_ci() -> bool {
    std::env::var_os("CI").is_some()
}

fn trial(file: &str, case: Case, programs: Option<Programs>) -> Trial {
    let name = format!("{file}::{}", case.name);
    let is_ignored = programs.is_none();
    let run = move || programs.map_or(Ok(()), |programs| hold(&programs, &case));
    Trial::test(name, run).with_ignored_flag(is_ignored)
}

/// All cases, each with the name of its file.
fn cases() -> Vec<(String, Case)> {
    let mut files: Vec<PathBuf> = list(&directory().join("tests/conformance/cases"));
    files.sort();
    let of_file = |file: &PathBuf| {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let cases = Case::parse_file(&read(file));
        cases.into_iter().map(move |case| (name.clone(), case)).collect::<Vec<_>>()
    };
    files.iter().flat_map(of_file).collect()
}

/// Holds one case. Midnight may fall between the two programs: then they run once more.
fn hold(programs: &Programs, case: &Case) -> Result<(), Failed> {
    let mut runs = programs.run(case);
    if runs.are_of_two_days() {
        runs = programs.run(case);
    }
    let problem = problem(case, &runs);
    let Some(id) = &case.differs else {
        return problem.map_or(Ok(()), |problem| Err(in_case(case, &problem)));
    };
    if problem.is_none() {
        return Err(in_case(case, &format!("nothing differs any more; remove `differs: {id}`")));
    }
    let compares_exits = case.compare.iter().any(|it| it == "exit");
    if !runs.recto.success && !compares_exits {
        return Err(in_case(case, &format!("recto fails: {}", runs.recto.messages)));
    }
    if !is_told(id) {
        return Err(in_case(case, &format!("docs/compatibility.md has no heading with {id}")));
    }
    Ok(())
}

/// The first compared aspect in which the two programs are not equal.
fn problem(case: &Case, runs: &Runs) -> Option<String> {
    let named = case.compare.iter().map(|name| {
        Aspect::named(name).unwrap_or_else(|| panic!("case {}: compare: {name}?", case.name))
    });
    let mut aspects: Vec<Aspect> = named.collect();
    if aspects.is_empty() {
        aspects = vec![Aspect::AgentsMd, Aspect::Environment];
    }
    aspects.iter().find_map(|aspect| aspect.problem(runs))
}

fn in_case(case: &Case, problem: &str) -> Failed {
    let rules: Vec<String> = case.rules.iter().map(|rule| format!("rule: {rule}\n")).collect();
    format!("{}{problem}", rules.concat()).into()
}

/// Whether a heading of the document about wanted differences names this one.
fn is_told(id: &str) -> bool {
    let document = read(&directory().join("../docs/compatibility.md"));
    document.lines().any(|line| line.starts_with('#') && line.contains(id))
}

fn directory() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[expect(clippy::disallowed_methods, reason = "the cases are files of this repository")]
fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[expect(clippy::disallowed_methods, reason = "the cases are files of this repository")]
fn list(directory: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).expect("the directory of the cases exists");
    entries.map(|entry| entry.expect("the directory can be read").path()).collect()
}
