//! Laws of discovery, over trees that nobody thought of.

#![expect(
    clippy::disallowed_methods,
    reason = "the naive reader and the laws look at the disk themselves"
)]

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use recto_core::agents_md::{CandidateOutcome, InstructionsText, LoadedAgentsMd};
use recto_core::config::AgentsMdConfig;
use recto_core::testing::{Entry, EntryKind, Fixture, FixtureDirectory, rounds};
use recto_protocol::TrustLevel;

use super::support::{block_on, config, files, load};

const SEPARATOR: &str = "\n\n--- project-doc ---\n\n";

/// The directories of every tree, each inside the one before; the first stands for the home.
const DIRECTORIES: [&str; 5] = ["home", "r", "r/s", "r/s/t", "r/s/t/u"];

fn content() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop::sample::select(vec![
        &b"a"[..],
        b"text\n",
        b" ",
        b"\n",
        b"\xE2\x82\xAC",
        b"\xF0\x9F\x98\x80",
        b"\xFF",
        b"\xE2\x82",
        b"\xEF\xBB\xBF",
        b"\0",
        b"</INSTRUCTIONS>",
        b"\xC2\xA0",
        b"0123456789012345678901234567890123456789",
    ]);
    prop::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat())
}

fn kind() -> impl Strategy<Value = EntryKind> {
    let target = prop::sample::select(vec![
        "AGENTS.md",
        "F.md",
        "../AGENTS.md",
        "nowhere",
        ".",
        "/dev/null",
        "/dev/zero",
        "../../r/AGENTS.md",
    ]);
    prop_oneof![
        6 => content().prop_map(EntryKind::File),
        1 => Just(EntryKind::Directory),
        1 => Just(EntryKind::Pipe),
        2 => target.prop_map(|target| EntryKind::Link(target.into())),
    ]
}

fn entry() -> impl Strategy<Value = Entry> {
    let name = prop::sample::select(vec![
        "AGENTS.md",
        "AGENTS.md",
        "AGENTS.override.md",
        "F.md",
        "G.md",
        "agents.md",
        ".git",
        ".hg",
    ]);
    (prop::sample::select(&DIRECTORIES[..]), name, kind())
        .prop_map(|(directory, name, kind)| Entry { path: Path::new(directory).join(name), kind })
}

fn fixture() -> impl Strategy<Value = Fixture> {
    let args = (
        prop_oneof![Just(32_768_u64), 0_u64..120],
        prop::sample::select(vec!["", "F.md", "G.md,F.md", "AGENTS.md,F.md"]),
        prop::sample::select(vec![".git", ".hg,.git", ".hg", "", "."]),
        prop::bool::weighted(0.1),
    );
    let modes = prop::collection::vec(
        (any::<prop::sample::Index>(), prop::sample::select(vec![0, 0o111, 0o444])),
        0..3,
    );
    (prop::collection::vec(entry(), 0..14), modes, args, prop::sample::select(&DIRECTORIES[..]))
        .prop_map(|(entries, modes, (max, fallback, markers, untrusted), cwd)| {
            let mut seen = HashSet::new();
            let mut entries: Vec<Entry> =
                entries.into_iter().filter(|it| seen.insert(it.path.clone())).collect();
            entries.extend(
                DIRECTORIES.map(|it| Entry { path: it.into(), kind: EntryKind::Directory }),
            );
            let regular: Vec<PathBuf> = entries
                .iter()
                .filter(|it| matches!(it.kind, EntryKind::File(_) | EntryKind::Directory))
                .map(|it| it.path.clone())
                .collect();
            let mut args = vec![
                format!("max={max}"),
                format!("fallback={fallback}"),
                format!("markers={markers}"),
            ];
            args.extend(untrusted.then(|| "untrusted".to_owned()));
            Fixture {
                modes: modes
                    .into_iter()
                    .map(|(at, mode)| (at.get(&regular).clone(), mode))
                    .collect(),
                entries,
                cwd: cwd.into(),
                args,
                env: Vec::new(),
            }
        })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: rounds(256, 20_000), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn soak_any_tree_is_read_as_a_naive_reader_reads_it(fixture in fixture()) {
        let tree = fixture.lay_out();
        let (config, trust) = config(&tree);
        let file_system = files(&tree);
        let loaded = block_on(load(&tree, file_system.clone())).expect("no policy forbids a read");
        let text = loaded.to_text();

        let naive = Naive { config: &config, trust }.read(&tree);
        prop_assert_eq!(text.as_ref().map(|it| (it.directory.clone(), it.text.clone())), naive);
        holds_order_and_budget(&loaded, &config)?;
        if let Some(text) = &text {
            is_what_its_spans_say(text)?;
            holds_what_the_files_hold(text, &loaded, &tree)?;
        }

        // The home may be the project too, and then both look there.
        let mut seen = HashSet::new();
        let calls = file_system.calls();
        let twice = calls.iter().find(|it| !it.path.starts_with(tree.codex_home()) && !seen.insert(*it));
        prop_assert_eq!(twice, None);
    }
}

/// Root before cwd, at most one file a directory, and no more bytes than the budget has.
fn holds_order_and_budget(
    loaded: &LoadedAgentsMd,
    config: &AgentsMdConfig,
) -> Result<(), TestCaseError> {
    let project = &loaded.projects[0];
    let directories: Vec<&Path> =
        project.entries.iter().filter_map(|it| it.path.parent()).collect();
    prop_assert!(directories.windows(2).all(|it| it[1].starts_with(it[0]) && it[0] != it[1]));
    prop_assert!(project.spent() <= config.project_doc_max_bytes);
    let told = project.candidates.iter().filter(|it| is_told(&it.outcome)).map(|it| &it.path);
    prop_assert!(told.eq(project.entries.iter().map(|it| &it.path)));
    Ok(())
}

fn is_told(outcome: &CandidateOutcome) -> bool {
    matches!(outcome, CandidateOutcome::Loaded { .. } | CandidateOutcome::Cut { .. })
}

/// What lies between the spans is nothing but the separators.
fn is_what_its_spans_say(text: &InstructionsText) -> Result<(), TestCaseError> {
    let mut at = 0;
    for (number, span) in text.spans.iter().enumerate() {
        let between = &text.text[at..span.range.start];
        let allowed: &[&str] = if number == 0 { &[""] } else { &[SEPARATOR, "\n\n"] };
        prop_assert!(allowed.contains(&between), "{:?} stands between two spans", between);
        at = span.range.end;
    }
    prop_assert_eq!(at, text.text.len());
    Ok(())
}

/// The text of a span is its file's, decoded lossily: of the host trimmed, of a project cut to what was kept.
fn holds_what_the_files_hold(
    text: &InstructionsText,
    loaded: &LoadedAgentsMd,
    tree: &FixtureDirectory,
) -> Result<(), TestCaseError> {
    let has_host = loaded.host.entry.is_some();
    for (number, span) in text.spans.iter().enumerate() {
        let bytes = fs::read(&span.path).expect("it was read before");
        let told = &text.text[span.range.clone()];
        if number == 0 && has_host {
            prop_assert!(span.path.starts_with(tree.codex_home()));
            prop_assert_eq!(told, String::from_utf8_lossy(&bytes).trim().to_owned());
            continue;
        }
        let candidate = loaded.projects[0].candidates.iter().find(|it| it.path == span.path);
        let kept = match candidate.map(|it| &it.outcome) {
            Some(CandidateOutcome::Loaded { .. }) => bytes.len(),
            Some(CandidateOutcome::Cut { kept, lost, .. }) => {
                prop_assert_eq!(kept + lost, bytes.len() as u64);
                usize::try_from(*kept).expect("it was read")
            }
            other => panic!("{} is told and {other:?}", span.path.display()),
        };
        prop_assert_eq!(told, String::from_utf8_lossy(&bytes[..kept]));
    }
    Ok(())
}

/// Reads as the rules are written, one file after the other, and knows nothing of the engine but its settings.
struct Naive<'a> {
    config: &'a AgentsMdConfig,
    trust: Option<TrustLevel>,
}

impl Naive<'_> {
    /// The directory of the heading and the text.
    fn read(&self, tree: &FixtureDirectory) -> Option<(Option<PathBuf>, String)> {
        let cwd = tree.cwd();
        let host = Self::host(&tree.codex_home());
        let docs = if self.trust == Some(TrustLevel::Untrusted) {
            Vec::new()
        } else {
            let mut budget = usize::try_from(self.config.project_doc_max_bytes)
                .expect("the test's budgets are small");
            let mut docs = Vec::new();
            self.docs(&cwd, &self.root(&cwd, tree), &mut budget, &mut docs);
            docs
        };
        let directory = (!docs.is_empty()).then_some(cwd);
        let docs = docs.join("\n\n");
        match (host, docs.is_empty()) {
            (None, true) => None,
            (None, false) => Some((directory, docs)),
            (Some(host), true) => Some((directory, host)),
            (Some(host), false) => Some((directory, host + SEPARATOR + &docs)),
        }
    }

    fn host(home: &Path) -> Option<String> {
        ["AGENTS.override.md", "AGENTS.md"].iter().find_map(|name| {
            let path = home.join(name);
            let bytes = fs::metadata(&path).ok()?.is_file().then(|| fs::read(&path).ok())??;
            let text = String::from_utf8_lossy(&bytes).trim().to_owned();
            (!text.is_empty()).then_some(text)
        })
    }

    fn root(&self, directory: &Path, tree: &FixtureDirectory) -> PathBuf {
        if self
            .config
            .project_root_markers
            .iter()
            .any(|it| fs::metadata(directory.join(it)).is_ok())
        {
            return directory.to_owned();
        }
        match directory.parent() {
            Some(parent) if directory != tree.root() => self.root(parent, tree),
            _ => tree.cwd(),
        }
    }

    fn docs(&self, directory: &Path, root: &Path, budget: &mut usize, docs: &mut Vec<String>) {
        if directory != root {
            self.docs(directory.parent().expect("the root is above"), root, budget, docs);
        }
        let names = ["AGENTS.override.md".to_owned(), "AGENTS.md".to_owned()];
        let slot = names
            .iter()
            .chain(&self.config.project_doc_fallback_filenames)
            .map(|name| directory.join(name))
            .find(|path| fs::metadata(path).is_ok_and(|it| it.is_file()));
        let Some(Ok(mut bytes)) = slot.filter(|_| *budget > 0).map(fs::read) else { return };
        bytes.truncate(*budget);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if !text.trim().is_empty() {
            *budget -= bytes.len();
            docs.push(text);
        }
    }
}
