//! Skills: which files are found and in what order, what of them a model is told, and what a person's words inject.

use std::fmt::Write as _;
use std::path::Path;

use insta::assert_snapshot;
use pretty_assertions::assert_eq;
use recto_core::environment::FileSystem;
use recto_core::skills::{
    RootAlias, Skill, SkillBudget, SkillCatalog, SkillEntry, SkillListing, SkillRoot, SkillScope,
    SkillSources, discover_skills, load_skill_bodies, mentioned_skills,
};
use recto_core::testing::{
    CountingFileSystem, Fixture, FixtureDirectory, TestEnvironment, file_system_under_test,
};
use recto_protocol::TrustLevel;

fn skill_file(path: &str, name: &str) -> String {
    format!("//- {path}/SKILL.md\n---\nname: {name}\ndescription: d\n---\nbody\n")
}

async fn discover(
    file_system: &CountingFileSystem,
    tree: &FixtureDirectory,
    trust: Option<TrustLevel>,
) -> SkillCatalog {
    let sources = SkillSources {
        codex_home: &tree.codex_home(),
        user_home: Some(&tree.path("user")),
        cwd: &tree.cwd(),
        project_root_markers: &[".git".to_owned()],
        trust,
        plugins: &[],
    };
    discover_skills(file_system, sources).await
}

/// The listing and the diagnostics as text, the root of the tree as `$ROOT`.
fn shown(tree: &FixtureDirectory, catalog: &SkillCatalog) -> String {
    let listing = catalog.listing(SkillBudget::for_context_window(None));
    let roots = listing.roots.iter().map(RootAlias::line);
    let entries = listing.entries.iter().map(SkillEntry::line);
    let diagnostics = catalog.diagnostics.iter().map(|it| format!("! {it}"));
    let lines: Vec<String> = roots.chain(entries).chain(diagnostics).collect();
    lines.join("\n").replace(&*tree.root().to_string_lossy(), "$ROOT")
}

async fn shown_skills(fixture: &str) -> String {
    let tree = Fixture::parse(fixture).lay_out();
    let catalog = discover(&file_system_under_test(), &tree, None).await;
    shown(&tree, &catalog)
}

#[tokio::test]
async fn skills_come_from_the_homes_and_from_every_directory_of_the_project() {
    let places = [
        ("home/skills/h", "home"),
        ("home/skills/.hidden/q", "hidden"),
        ("home/skills/.system/s", "system"),
        ("user/.agents/skills/u", "user"),
        ("user/.codex/skills/n", "not-here"),
        (".agents/skills/above", "above-the-root"),
        ("repo/.agents/skills/a", "repo"),
        ("repo/.codex/skills/c", "repo-codex"),
        ("repo/skills/x", "plain-directory"),
        ("repo/sub/.agents/skills/b", "sub"),
        ("repo/sub/.codex/skills/c", "sub-codex"),
        ("repo/sub/below/.agents/skills/b", "below"),
    ];
    let files: String = places.iter().map(|(path, name)| skill_file(path, name)).collect();
    let text = shown_skills(&format!("{files}//- repo/.git/\n//- cwd: repo/sub")).await;
    assert_snapshot!(text, @r"
    - `r0` = `$ROOT/repo/sub/.codex/skills`
    - `r1` = `$ROOT/repo/.codex/skills`
    - `r2` = `$ROOT/home/skills`
    - `r3` = `$ROOT/user/.agents/skills`
    - `r4` = `$ROOT/home/skills/.system`
    - `r5` = `$ROOT/repo/.agents/skills`
    - `r6` = `$ROOT/repo/sub/.agents/skills`
    - system: d (file: r4/s/SKILL.md)
    - repo: d (file: r5/a/SKILL.md)
    - repo-codex: d (file: r1/c/SKILL.md)
    - sub: d (file: r6/b/SKILL.md)
    - sub-codex: d (file: r0/c/SKILL.md)
    - home: d (file: r2/h/SKILL.md)
    - user: d (file: r3/u/SKILL.md)
    ");
}

#[tokio::test]
async fn a_file_counts_down_to_the_sixth_directory_and_within_other_skills() {
    let deep = |levels: usize| {
        let path = (0..levels).map(|level| format!("/d{level}")).collect::<Vec<_>>().concat();
        skill_file(&format!("repo/.agents/skills{path}"), &format!("depth{levels}"))
    };
    let files: String = (0..9).map(deep).collect();
    let lower = "//- repo/.agents/skills/x/skill.md\n---\nname: lower\ndescription: d\n---\n";
    let text = shown_skills(&format!("{files}{lower}//- repo/.git/\n//- cwd: repo")).await;
    assert_snapshot!(text, @r"
    - `r0` = `$ROOT/repo/.agents/skills`
    - depth0: d (file: r0/SKILL.md)
    - depth1: d (file: r0/d0/SKILL.md)
    - depth2: d (file: r0/d0/d1/SKILL.md)
    - depth3: d (file: r0/d0/d1/d2/SKILL.md)
    - depth4: d (file: r0/d0/d1/d2/d3/SKILL.md)
    - depth5: d (file: r0/d0/d1/d2/d3/d4/SKILL.md)
    - depth6: d (file: r0/d0/d1/d2/d3/d4/d5/SKILL.md)
    ");
}

#[tokio::test]
async fn directories_may_be_links_and_files_may_not() {
    let text = shown_skills(
        "
        //- real/shared/SKILL.md
        ---
        name: shared
        description: d
        ---
        //- home/skills/mine -> ../../real/shared
        //- repo/.agents/skills/again -> ../../../real/shared
        //- repo/.agents/skills/loop -> .
        //- repo/.agents/skills/nowhere -> nothing
        //- repo/.agents/skills/file/SKILL.md -> ../../../../real/shared/SKILL.md
        //- repo/.git/
        //- cwd: repo
        ",
    )
    .await;
    assert_snapshot!(text, @r"
    - `r0` = `$ROOT/home/skills`
    - shared: d (file: r0/mine/SKILL.md)
    ! $ROOT/repo/.agents/skills/file/SKILL.md: it is a symbolic link; link the skill's directory instead
    ");
}

#[tokio::test]
async fn names_are_sorted_by_their_bytes_and_may_be_the_same() {
    let places = [("b", "Case"), ("c", "acase"), ("d", "same"), ("e", "same"), ("f", "Zed")];
    let files: String = places
        .iter()
        .map(|(path, name)| skill_file(&format!("repo/.agents/skills/{path}"), name))
        .collect();
    let text = shown_skills(&format!("{files}//- repo/.git/\n//- cwd: repo")).await;
    assert_snapshot!(text, @r"
    - `r0` = `$ROOT/repo/.agents/skills`
    - Case: d (file: r0/b/SKILL.md)
    - Zed: d (file: r0/f/SKILL.md)
    - acase: d (file: r0/c/SKILL.md)
    - same: d (file: r0/d/SKILL.md)
    - same: d (file: r0/e/SKILL.md)
    ");
}

/// What one `SKILL.md` in a directory `dir` becomes: its line, or why it is refused.
async fn front_matter(file: &[u8]) -> String {
    let bytes = file.iter().map(|byte| format!("\\x{byte:02X}")).collect::<Vec<_>>().concat();
    let fixture = format!("//- repo/.agents/skills/dir/SKILL.md = \"{bytes}\"\n//- cwd: repo");
    let tree = Fixture::parse(&fixture).lay_out();
    let catalog = discover(&file_system_under_test(), &tree, None).await;
    match (&*catalog.skills, &*catalog.diagnostics) {
        ([skill], []) => format!("{}: {}", skill.name, skill.description),
        ([], [refused]) => {
            assert_eq!(refused.path, tree.path("repo/.agents/skills/dir/SKILL.md"));
            format!("! {}", refused.problem)
        }
        other => panic!("one file, one answer: {other:?}"),
    }
}

#[tokio::test]
async fn front_matter_is_read_as_the_reference_reads_it() {
    for (head, expected) in [
        ("name: a\ndescription: >\n  folded\n  text\n\n  again", "a: folded text again"),
        ("name: a\ndescription: |\n  x: y\nbad: a: b", "a: x: y"),
        ("description: no name", "dir: no name"),
        ("name: \"\"\ndescription: empty name", "dir: empty name"),
        ("name: null\ndescription: null name", "dir: null name"),
        ("name: 12\ndescription: 7", "12: 7"),
        ("name: a\ndescription: true", "a: true"),
        ("name: a\ndescription: 1.50", "a: 1.50"),
        ("name: a\ndescription: 2020-01-01", "a: 2020-01-01"),
        ("name: \"l  with\\n spaces\"\ndescription: \"  x\\ny   z \"", "l with spaces: x y z"),
        ("name: a/b\ndescription: slash\nextra: {a: [1]}", "a/b: slash"),
        ("name: a\ndescription: colon: inside", "a: colon: inside"),
        ("name: d: e\ndescription: dd", "d: e: dd"),
        ("name: a\ndescription: x: y # comment", "a: x: y"),
        ("name: a\ndescription: good # comment", "a: good"),
        ("name: a\ndescription: [x", "a: [x"),
        ("name: a\ndescription: {a: b}", "a: {a: b}"),
        ("name: a\ndescription: @at it's", "a: @at it's"),
        ("name: a\ndescription: `tick`", "a: `tick`"),
        ("name: a\ndescription: good\nother: [x", "a: good"),
        ("name: a\ndescription: x: y\ntools: Bash(git:*), Read\nargs: <a> [b]", "a: x: y"),
        ("name: a\ndescription: &a anchored", "a: anchored"),
        ("name: a", "! its front matter has no `description`"),
        ("name: a\ndescription: \"\"", "! its front matter has no `description`"),
        ("name: a\ndescription: null", "! its front matter has no `description`"),
    ] {
        let text = front_matter(format!("---\n{head}\n---\nbody").as_bytes()).await;
        assert_eq!(text, expected, "{head}");
    }
}

#[tokio::test]
async fn front_matter_that_is_no_yaml_is_refused_with_the_parsers_words() {
    for head in [
        "name: a\ndescription: \"unclosed",
        "name: a\ndescription: *star",
        "name: a\ndescription: 'it's",
        "name: a\ndescription: x: y\n  continued: z",
        "name: a\n\tdescription: tabbed",
        "name: a\ndescription: [a, b]",
        "name: [p]\ndescription: p",
        "name: q\nname: q\ndescription: q",
        "- a\n- b",
    ] {
        let text = front_matter(format!("---\n{head}\n---\nbody").as_bytes()).await;
        let words = text.strip_prefix("! its front matter is not valid YAML: ");
        let words = words.unwrap_or_else(|| panic!("{head}: {text}"));
        assert!(!words.is_empty() && !words.contains('\n'), "{head}: {text}");
    }
}

#[tokio::test]
async fn aliases_that_grow_without_bound_are_refused() {
    let mut head = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..30 {
        let below = format!("*a{}, ", level - 1).repeat(10);
        let below = below.trim_end_matches(", ");
        writeln!(head, "a{level}: &a{level} [{below}]").unwrap();
    }
    let file = format!("---\n{head}name: a\ndescription: d\n---\n");
    let text = front_matter(file.as_bytes()).await;
    assert!(text.starts_with("! its front matter is not valid YAML: "), "{text}");
}

#[tokio::test]
async fn a_file_without_a_proper_head_is_refused_and_says_why() {
    let long = format!("---\nname: {}\ndescription: d\n---\n", "p".repeat(65));
    let far = format!("---\nname: a\ndescription: d\nx: {}\n---\n", "y".repeat(70_000));
    for (file, expected) in [
        (&b"no front matter"[..], "! it does not start with a line `---`"),
        (b"", "! it does not start with a line `---`"),
        (b"\n---\nname: a\ndescription: d\n---\n", "! it does not start with a line `---`"),
        (
            b"---\nname: a\ndescription: d\n",
            "! no line `---` ends its front matter within the first 65536 bytes",
        ),
        (far.as_bytes(), "! no line `---` ends its front matter within the first 65536 bytes"),
        (
            b"\xEF\xBB\xBF---\nname: a\ndescription: d\n---\n",
            "! it starts with a byte order mark; save it without one",
        ),
        (b"---\nname: a\ndescription: \xFF\n---\n", "! it is not valid UTF-8"),
        (long.as_bytes(), "! its name has 65 characters, 64 are allowed"),
        (b"---\r\nname: a\r\ndescription: crlf\r\n---\r\nb", "a: crlf"),
        (b"--- \nname: a\ndescription: spaces\n ---  \nb", "a: spaces"),
    ] {
        assert_eq!(front_matter(file).await, expected, "{}", String::from_utf8_lossy(file));
    }
}

#[tokio::test]
async fn a_character_at_the_end_of_what_is_read_does_not_make_a_file_unreadable() {
    let file = format!("---\nname: a\ndescription: dd\n---\n{}", "é".repeat(40_000));
    assert_eq!(front_matter(file.as_bytes()).await, "a: dd");
}

#[tokio::test]
async fn what_cannot_be_read_is_told_and_the_rest_goes_on() {
    let text = shown_skills(
        "
        //- repo/.agents/skills/good/SKILL.md
        ---
        name: good
        description: d
        ---
        //- repo/.agents/skills/broken/SKILL.md
        # no front matter
        //- repo/.agents/skills/pipe/SKILL.md |
        //- repo/sub/.agents/skills = \"a file\"
        //- repo/.git/
        //- cwd: repo/sub
        ",
    )
    .await;
    assert_snapshot!(text, @r"
    - `r0` = `$ROOT/repo/.agents/skills`
    - good: d (file: r0/good/SKILL.md)
    ! $ROOT/repo/.agents/skills/broken/SKILL.md: it does not start with a line `---`
    ");
}

#[tokio::test]
async fn the_skills_of_an_untrusted_project_are_not_even_looked_for() {
    let fixture = [
        skill_file("repo/.agents/skills/a", "evil"),
        skill_file("repo/.codex/skills/b", "evil-too"),
        skill_file("home/skills/h", "home"),
        "//- repo/.git/\n//- cwd: repo".to_owned(),
    ];
    let tree = Fixture::parse(&fixture.concat()).lay_out();
    let file_system = file_system_under_test();
    let catalog = discover(&file_system, &tree, Some(TrustLevel::Untrusted)).await;
    let names: Vec<&str> = catalog.skills.iter().map(|skill| &*skill.name).collect();
    assert_eq!(names, ["home"]);
    let looked_at = file_system.calls();
    assert!(looked_at.iter().all(|call| !call.path.starts_with(tree.path("repo"))));
}

#[tokio::test]
async fn a_session_in_the_home_directory_finds_its_skills_once_and_as_the_persons_own() {
    let fixture = [
        skill_file("user/.agents/skills/a", "mine"),
        skill_file("home/skills/h", "home"),
        "//- user/.git/\n//- cwd: user".to_owned(),
    ];
    let tree = Fixture::parse(&fixture.concat()).lay_out();
    let catalog = discover(&file_system_under_test(), &tree, None).await;
    let scopes: Vec<SkillScope> = catalog.skills.iter().map(|skill| skill.scope).collect();
    assert_eq!(scopes, [SkillScope::User, SkillScope::User]);
}

#[tokio::test]
async fn a_search_takes_few_round_trips_however_many_skills_there_are() {
    let files: String = (0..50)
        .map(|at| skill_file(&format!("repo/.agents/skills/s{at}"), &format!("s{at}")))
        .collect();
    let tree = Fixture::parse(&format!("{files}//- repo/.git/\n//- cwd: repo")).lay_out();
    let file_system = file_system_under_test();
    let catalog = discover(&file_system, &tree, None).await;
    assert_eq!(catalog.skills.len(), 50);
    // The project's root, the places, one root without links, its names, what they are, the names in 50 directories
    // (which are asked at once), what those are, and the files.
    // Where nothing tells which file is which, each path is asked for without links, too.
    let more = if TestEnvironment::current().tells_all() { 0 } else { 100 };
    assert_eq!(file_system.round_trips(), 7 + 50 + more);
}

/// A catalogue without a disk: `count` skills with descriptions of `length` characters below one root.
fn catalog(count: usize, description: &str) -> SkillCatalog {
    let root = Path::new("/repo/.agents/skills");
    let skill = |at: usize| Skill {
        name: format!("s{at:03}"),
        description: description.to_owned(),
        path: root.join(format!("s{at:03}/SKILL.md")),
        root: 0,
        scope: SkillScope::Repo,
    };
    SkillCatalog {
        roots: vec![SkillRoot { path: root.to_owned(), scope: SkillScope::Repo, plugin: None }],
        skills: (0..count).map(skill).collect(),
        diagnostics: Vec::new(),
    }
}

fn tokens(listing: &SkillListing) -> usize {
    listing.entries.iter().map(|entry| (entry.line().len() + 1).div_ceil(4)).sum()
}

#[test]
fn the_budget_is_two_percent_of_the_context_window() {
    let budget = |window| SkillBudget::for_context_window(window).0;
    assert_eq!([budget(Some(272_000)), budget(None), budget(Some(100_000))], [5_440, 5_440, 2_000]);
}

#[test]
fn a_catalogue_within_its_budget_is_told_whole() {
    let catalog = catalog(20, &"é".repeat(200));
    let listing = catalog.listing(SkillBudget(5_440));
    let whole = listing.entries.iter().all(|entry| entry.description == "é".repeat(200));
    assert!(whole && listing.clipped.is_empty() && listing.left_out.is_empty());
}

#[test]
fn one_description_ends_after_1024_characters() {
    let listing = catalog(1, &"é".repeat(1_025)).listing(SkillBudget(5_440));
    assert_eq!(listing.entries[0].description, format!("{}...", "é".repeat(1_021)));
    assert_eq!((listing.clipped[0].kept, listing.clipped[0].length), (1_021, 1_025));
    let listing = catalog(1, &"é".repeat(1_024)).listing(SkillBudget(5_440));
    assert_eq!(listing.entries[0].description, "é".repeat(1_024));
}

/// Four skills of the system and so many of a project, each root with a path of so many bytes.
fn two_roots(count: usize, path_bytes: usize) -> SkillCatalog {
    let mut catalog = catalog(4 + count, &"d001 ".repeat(40));
    let root = |name: &str| Path::new("/").join(name.repeat(path_bytes - 1));
    catalog.roots = vec![
        SkillRoot { path: root("s"), scope: SkillScope::System, plugin: None },
        SkillRoot { path: root("r"), scope: SkillScope::Repo, plugin: None },
    ];
    let system = ["imagegen", "openai-docs", "skill-creator", "skill-installer"];
    for (at, skill) in catalog.skills.iter_mut().enumerate() {
        skill.root = usize::from(at >= system.len());
        skill.name = system.get(at).map_or_else(|| format!("s{:03}", at - 4), ToString::to_string);
        skill.path = catalog.roots[skill.root].path.join(&skill.name).join("SKILL.md");
    }
    catalog
}

#[test]
fn descriptions_over_the_budget_are_cut_together_as_the_reference_cuts_them() {
    // Runs of equal lengths, as the reference had them for this very layout and a window of 100,000 tokens.
    let listing = two_roots(150, 68).listing(SkillBudget::for_context_window(Some(100_000)));
    let lengths: Vec<usize> = listing.entries.iter().map(|it| it.description.len()).collect();
    let runs: Vec<(usize, usize)> =
        lengths.chunk_by(|left, right| left == right).map(|run| (run[0], run.len())).collect();
    assert_eq!(runs, [(18, 1), (16, 3), (18, 129), (14, 21)]);
    assert_eq!(tokens(&listing), 1_995);
    assert_eq!((listing.clipped.len(), listing.clipped[0].kept), (154, 18));
    assert!(listing.left_out.is_empty());
}

#[test]
fn only_a_table_of_roots_that_is_longer_than_usual_takes_from_the_budget() {
    let spent = |path_bytes| tokens(&two_roots(60, path_bytes).listing(SkillBudget(1_200)));
    // What the reference spent on the entries with two roots of these lengths.
    assert_eq!([46, 54, 66, 80].map(spent), [1_200, 1_200, 1_196, 1_189]);
}

#[test]
fn where_not_even_the_names_fit_the_last_skills_are_left_out_and_named() {
    let catalog = catalog(150, "a description");
    let listing = catalog.listing(SkillBudget(400));
    assert_eq!(listing.entries.len(), 44);
    assert_eq!(listing.entries[43].line(), "- s043: (file: r0/s043/SKILL.md)");
    assert_eq!(listing.left_out.len(), 106);
    assert_eq!(listing.left_out[0], Path::new("/repo/.agents/skills/s044/SKILL.md"));
    assert_eq!(listing.clipped.len(), 44);
}

/// A catalogue of `name at path` pairs.
fn named(skills: &[(&str, &str)]) -> SkillCatalog {
    let mut catalog = catalog(skills.len(), "d");
    for (skill, (name, path)) in catalog.skills.iter_mut().zip(skills) {
        (*name).clone_into(&mut skill.name);
        skill.path = (*path).into();
    }
    catalog
}

#[test]
fn a_skill_is_mentioned_by_its_exact_name_or_by_a_link_to_its_file() {
    let catalog = named(&[
        ("build", "/b/SKILL.md"),
        ("greet", "/g/SKILL.md"),
        ("other-name", "/o/SKILL.md"),
        ("plug:in", "/p/SKILL.md"),
        ("twin", "/t1/SKILL.md"),
        ("twin", "/t2/SKILL.md"),
    ]);
    for (text, expected) in [
        ("use $greet and $build please, then $greet", &["/b/SKILL.md", "/g/SKILL.md"][..]),
        ("$greet.md", &["/g/SKILL.md"]),
        ("$$greet", &["/g/SKILL.md"]),
        ("`$greet`", &["/g/SKILL.md"]),
        ("a$greet", &["/g/SKILL.md"]),
        (r"\$greet", &["/g/SKILL.md"]),
        ("é$greeté", &["/g/SKILL.md"]),
        ("$other-name", &["/o/SKILL.md"]),
        ("$plug:in", &["/p/SKILL.md"]),
        ("$Greet", &[]),
        ("$greet:", &[]),
        ("$greet-2", &[]),
        ("$greet_", &[]),
        ("${greet} /greet @greet #greet greet $", &[]),
        ("$twin", &[]),
        ("[$twin](/t2/SKILL.md)", &["/t2/SKILL.md"]),
        ("[$anything](/g/SKILL.md)", &["/g/SKILL.md"]),
        ("[$anything]\n( /g/SKILL.md )", &["/g/SKILL.md"]),
        ("[$x](skill:///g/SKILL.md) and $build", &["/b/SKILL.md", "/g/SKILL.md"]),
        ("[twin](/t2/SKILL.md)", &[]),
        ("[$greet](/no/such)", &[]),
        ("[$greet](~/SKILL.md) [$greet](g/SKILL.md)", &[]),
        ("/g/SKILL.md skill:///g/SKILL.md", &[]),
        ("[$greet] (/no/such)", &[]),
        ("[$greet](/never/closed", &["/g/SKILL.md"]),
    ] {
        let mentions = mentioned_skills(&catalog, [text]);
        let paths: Vec<&Path> = mentions.skills.iter().map(|skill| &*skill.path).collect();
        let expected: Vec<&Path> = expected.iter().map(Path::new).collect();
        assert_eq!(paths, expected, "{text}");
    }
}

#[test]
fn a_name_that_two_skills_share_injects_neither_and_is_reported() {
    let catalog = named(&[("twin", "/t1/SKILL.md"), ("twin", "/t2/SKILL.md")]);
    let mentions = mentioned_skills(&catalog, ["$twin", "and $twin"]);
    assert_eq!(mentions.skills, Vec::<&Skill>::new());
    let told: Vec<(&str, usize)> =
        mentions.ambiguous.iter().map(|it| (&*it.name, it.paths.len())).collect();
    assert_eq!(told, [("twin", 2)]);
}

#[test]
fn a_variable_in_prose_is_no_mention_whatever_its_case() {
    let names = ["PATH", "HOME", "home", "Tmp", "XDG_CONFIG_HOME", "EDITOR", "MYVAR"];
    let skills: Vec<(&str, &str)> = names.iter().map(|name| (*name, "/s/SKILL.md")).collect();
    let catalog = named(&skills);
    let text = names.map(|name| format!(" ${name}")).concat();
    let mentions = mentioned_skills(&catalog, [&*text]);
    let taken: Vec<&str> = mentions.skills.iter().map(|skill| &*skill.name).collect();
    assert_eq!(taken, ["EDITOR", "MYVAR"]);
    let by_path = named(&[("PATH", "/s/SKILL.md")]);
    assert_eq!(mentioned_skills(&by_path, ["[$PATH](/s/SKILL.md)"]).skills.len(), 1);
}

#[tokio::test]
async fn mentioned_files_are_read_whole_and_those_that_cannot_be_are_told() {
    let tree = Fixture::parse(
        r#"
        //- repo/.agents/skills/a/SKILL.md
        ---
        name: a
        description: d
        ---
        body of </skill> a
        //- repo/.agents/skills/b/SKILL.md = "---\nname: b\ndescription: d\n---\n" "x"*1048577
        //- repo/.agents/skills/c/SKILL.md = "---\nname: c\ndescription: d\n---\n" "y"*70000 "\xFF"
        //- cwd: repo
        "#,
    )
    .lay_out();
    let file_system = file_system_under_test();
    let catalog = discover(&file_system, &tree, None).await;
    let gone = Skill { path: tree.path("gone/SKILL.md"), ..catalog.skills[0].clone() };
    let mut skills: Vec<&Skill> = catalog.skills.iter().collect();
    skills.push(&gone);
    let file_system: &dyn FileSystem = &*file_system;
    let loaded = load_skill_bodies(file_system, &skills).await;
    assert_eq!(loaded.bodies.len(), 1);
    assert_eq!(loaded.bodies[0].text, "---\nname: a\ndescription: d\n---\nbody of </skill> a\n");
    let told: Vec<String> = loaded.diagnostics.iter().map(|it| it.problem.to_string()).collect();
    assert_eq!(
        told,
        [
            "it has 1048608 bytes, a skill may have 1048576",
            "it is not valid UTF-8",
            "no such file or directory",
        ]
    );
}
