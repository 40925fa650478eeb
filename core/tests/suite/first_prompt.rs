//! What the first request says, in which order, and where every byte of it came from.

use std::fmt::Write as _;
use std::sync::Arc;

use pretty_assertions::assert_eq;
use recto_context_fragments::{
    AdditionalContextKey, AdditionalContextKind, AdditionalContextValue,
};
use recto_core::agents_md::Freshness;
use recto_core::environment::ThreadEnvironments;
use recto_core::session::{
    EnvironmentDetail, LocalTime, Origin, SessionSettings, StepContext, Surroundings, UserInput,
    first_prompt, provenance,
};
use recto_core::testing::FixtureDirectory;
use recto_protocol::{
    BaseInstructions, BaseInstructionsSource, ContentItem, ContentKind, Item, Prompt, ResponseItem,
};

use super::scene::settings;
use super::support::{block_on, environment, files, manager, tree};

const REPO: &str = r#"home/AGENTS.md = "G"; repo/.git/; repo/AGENTS.md = "R\n"; repo/sub/AGENTS.md = "S\n"; cwd: repo/sub"#;

/// Captures a step in the fixture's cwd.
fn capture(tree: &FixtureDirectory, settings: SessionSettings) -> StepContext {
    let files = files(tree);
    let mut environments = ThreadEnvironments::default();
    environments.push_ready(environment("local", tree.cwd(), files.clone()));
    let clock = LocalTime { date: "2026-11-30".to_owned(), timezone: "Europe/Berlin".to_owned() };
    block_on(async {
        let agents_md = manager(tree, files, Freshness::Selection).await;
        let mut surroundings =
            Surroundings::new(settings, environments, agents_md, None, Arc::new(clock));
        surroundings.capture_step_context().await.expect("no policy forbids a read")
    })
}

fn base() -> BaseInstructions {
    BaseInstructions { text: "BASE".to_owned(), source: BaseInstructionsSource::Config }
}

/// One line an item: number, role, kinds.
fn layout(prompt: &Prompt) -> String {
    let mut out = String::new();
    for (at, item) in prompt.input.iter().enumerate() {
        let ResponseItem::Message(message) = item.view() else { panic!("{item:?}") };
        let kinds: Vec<&str> = item.kinds().iter().map(ContentKind::as_str).collect();
        let _ = writeln!(out, "{at:02} {} [{}]", message.role, kinds.join(", "));
    }
    out
}

fn outside(values: &[(&str, AdditionalContextKind, &str)]) -> UserInput {
    let mut input = UserInput::text("hi");
    for (key, kind, text) in values {
        let key = AdditionalContextKey::new(*key).expect("the test uses good keys");
        let value = AdditionalContextValue { kind: *kind, text: (*text).to_owned() };
        input.additional_context.insert(key, value);
    }
    input
}

#[test]
fn developer_messages_stand_before_user_messages_and_the_input_is_last() {
    let tree = tree(REPO);
    let settings =
        SessionSettings { developer_instructions: Some("Be brief.".to_owned()), ..settings() };
    let step = capture(&tree, settings);
    let prompt = first_prompt(&step.facts, &UserInput::text("hi"), base());
    assert_eq!(prompt.base_instructions, base());
    insta::assert_snapshot!(layout(&prompt), @"
    00 developer [generic.developer_instructions, permissions.instructions]
    01 user [agents_md.instructions, environments.environment_context]
    02 user [user.text]
    ");
}

#[test]
fn what_is_not_there_or_not_wanted_leaves_no_trace() {
    let layouts = |line: &str, settings: SessionSettings, input: &UserInput| {
        layout(&first_prompt(&capture(&tree(line), settings).facts, input, base()))
    };
    let silent = || SessionSettings {
        include_permissions_instructions: false,
        environment_detail: EnvironmentDetail::Nothing,
        ..settings()
    };
    let empty = r"repo/; cwd: repo";
    let hi = UserInput::text("hi");
    let all = [
        ("no AGENTS.md", layouts(empty, settings(), &hi)),
        (
            "no permissions",
            layouts(
                REPO,
                SessionSettings { include_permissions_instructions: false, ..settings() },
                &hi,
            ),
        ),
        (
            "no environment",
            layouts(
                REPO,
                SessionSettings { environment_detail: EnvironmentDetail::Nothing, ..settings() },
                &hi,
            ),
        ),
        (
            "empty developer instructions",
            layouts(
                empty,
                SessionSettings { developer_instructions: Some(String::new()), ..silent() },
                &hi,
            ),
        ),
        ("nothing but the input", layouts(empty, silent(), &hi)),
        ("nothing at all", layouts(empty, silent(), &UserInput::default())),
        ("only a look", layouts(REPO, settings(), &UserInput::default())),
    ]
    .map(|(name, layout)| format!("== {name}\n{layout}"));
    insta::assert_snapshot!(all.join("\n"), @"
    == no AGENTS.md
    00 developer [permissions.instructions]
    01 user [environments.environment_context]
    02 user [user.text]

    == no permissions
    00 user [agents_md.instructions, environments.environment_context]
    01 user [user.text]

    == no environment
    00 developer [permissions.instructions]
    01 user [agents_md.instructions]
    02 user [user.text]

    == empty developer instructions
    00 user [user.text]

    == nothing but the input
    00 user [user.text]

    == nothing at all

    == only a look
    00 developer [permissions.instructions]
    01 user [agents_md.instructions, environments.environment_context]
    ");
}

#[test]
fn values_from_outside_stand_before_the_input_sorted_by_key() {
    use AdditionalContextKind::{Application, Untrusted};

    let step = capture(&tree(REPO), settings());
    let input = outside(&[("b", Application, "2"), ("a", Untrusted, "1"), ("c", Untrusted, "3")]);
    let prompt = first_prompt(&step.facts, &input, base());
    insta::assert_snapshot!(layout(&prompt), @"
    00 developer [permissions.instructions]
    01 user [agents_md.instructions, environments.environment_context]
    02 user [additional_content.a]
    03 developer [additional_content.b]
    04 user [additional_content.c]
    05 user [user.text]
    ");
    let values: Vec<&str> = prompt.input.iter().skip(2).take(3).map(text).collect();
    assert_eq!(values, ["<external_a>1</external_a>", "<b>2</b>", "<external_c>3</external_c>"]);
}

fn text(item: &Item) -> &str {
    let ResponseItem::Message(message) = item.view() else { panic!("{item:?}") };
    message.content[0].text().expect("it is text")
}

#[test]
fn the_user_message_reads_as_the_reference_writes_it() {
    let tree = tree(REPO);
    let step =
        capture(&tree, SessionSettings { include_permissions_instructions: false, ..settings() });
    let prompt = first_prompt(&step.facts, &UserInput::default(), base());
    let ResponseItem::Message(message) = prompt.input.iter().next().unwrap().view() else {
        panic!("{prompt:?}")
    };
    let texts: Vec<&str> = message.content.iter().filter_map(ContentItem::text).collect();
    let texts = texts.join("\n===\n").replace(&*tree.root().to_string_lossy(), "$ROOT");
    insta::assert_snapshot!(texts, @r#"
    # AGENTS.md instructions for $ROOT/repo/sub

    <INSTRUCTIONS>
    G

    --- project-doc ---

    R


    S

    </INSTRUCTIONS>
    ===
    <environment_context>
      <cwd>$ROOT/repo/sub</cwd>
      <shell>bash</shell>
      <current_date>2026-11-30</current_date>
      <timezone>Europe/Berlin</timezone>
      <filesystem><workspace_roots><root>/w</root></workspace_roots><permission_profile type="external"><file_system type="external" /></permission_profile></filesystem>
    </environment_context>
    "#);
}

#[test]
fn b35_a_directory_that_is_not_utf8_is_shown_lossily() {
    let tree = recto_core::testing::Fixture::parse(
        "//- caf\\xE9/.git/\n//- caf\\xE9/AGENTS.md = \"N\"\n//- cwd: caf\\xE9",
    )
    .lay_out();
    let facts = capture(&tree, settings()).facts;
    let shown = format!("{}/caf\u{fffd}", tree.root().display());
    assert_eq!(facts.agents_md.directory.as_ref(), Some(&shown));
    assert_eq!(facts.environment.unwrap().environments[0].1.cwd, shown);
    assert_eq!(facts.agents_md.text.as_deref(), Some("N"));
}

/// Every part in pieces, each with what it came from.
fn told(tree: &FixtureDirectory, step: &StepContext, prompt: &Prompt) -> String {
    let mut out = String::new();
    for item in &prompt.input {
        let ResponseItem::Message(message) = item.view() else { panic!("{item:?}") };
        let parts = provenance(&step.facts, item);
        assert_eq!(parts.len(), message.content.len(), "{item:?}");
        for (part, pieces) in message.content.iter().zip(parts) {
            let text = part.text().expect("it is text");
            let mut at = 0;
            for piece in &pieces {
                assert_eq!(piece.range.start, at, "there is a gap in {text}");
                at = piece.range.end;
                let origin = match &piece.origin {
                    Origin::File(path) => {
                        path.strip_prefix(tree.root()).unwrap_or(path).display().to_string()
                    }
                    other => format!("{other:?}"),
                };
                let piece =
                    text[piece.range.clone()].replace(&*tree.root().to_string_lossy(), "$ROOT");
                let short: String = piece.escape_debug().to_string().chars().take(60).collect();
                let _ = writeln!(out, "{origin}: {short}");
            }
            assert_eq!(at, text.len(), "the end of {text} is missing");
        }
    }
    out
}

#[test]
fn every_byte_is_known_to_come_from_somewhere() {
    let tree = tree(REPO);
    let settings =
        SessionSettings { developer_instructions: Some("Be brief.".to_owned()), ..settings() };
    let step = capture(&tree, settings);
    let input = outside(&[("page", AdditionalContextKind::Untrusted, "1")]);
    let prompt = first_prompt(&step.facts, &input, base());
    insta::assert_snapshot!(told(&tree, &step, &prompt), @r#"
    Setting("developer_instructions"): Be brief.
    Captured: <permissions instructions>\n# Permissions\n\nSomething outsi
    Engine: # AGENTS.md instructions for $ROOT/repo/sub\n\n<INSTRUCTIONS
    home/AGENTS.md: G
    Engine: \n\n--- project-doc ---\n\n
    repo/AGENTS.md: R\n
    Engine: \n\n
    repo/sub/AGENTS.md: S\n
    Engine: \n</INSTRUCTIONS>
    Captured: <environment_context>\n  <cwd>$ROOT/repo/sub</cwd>\n  <shell
    Outside("page"): <external_page>1</external_page>
    Person: hi
    "#);
}

#[test]
fn a_part_of_a_file_is_known_though_the_heading_is_gone() {
    let tree = tree(r#"home/AGENTS.md = " G "; repo/; cwd: repo"#);
    let step = capture(
        &tree,
        SessionSettings {
            include_permissions_instructions: false,
            environment_detail: EnvironmentDetail::Nothing,
            ..settings()
        },
    );
    let prompt = first_prompt(&step.facts, &UserInput::default(), base());
    insta::assert_snapshot!(told(&tree, &step, &prompt), @r#"
    Engine: # AGENTS.md instructions\n\n<INSTRUCTIONS>\n
    home/AGENTS.md: G
    Engine: \n</INSTRUCTIONS>
    "#);
}
