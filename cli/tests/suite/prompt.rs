//! `recto prompt`: the formats, and what is said beside them.

use super::command::{Recto, cli_snapshot};

const REPO: &str = r#"
    //- home/AGENTS.md = "Be brief.\n"
    //- home/base.md = "You are a test.\n"
    //- home/config.toml
    model = "gpt-5.5"
    model_instructions_file = "base.md"
    developer_instructions = "Speak plainly."
    include_permissions_instructions = false
    //- repo/.git/HEAD
    //- repo/AGENTS.md = "Run the tests.\n"
    //- repo/sub/AGENTS.md = "Only in sub.\n"
    //- cwd: repo/sub
"#;

#[test]
fn text_heads_every_part_with_its_source_and_cost() {
    let recto = Recto::in_tree(REPO);
    cli_snapshot!(
        recto,
        "prompt",
        "-c",
        "include_environment_context=false",
        "--context",
        "branch=main",
        "hi"
    );
}

#[test]
fn json_tells_where_every_byte_came_from() {
    let recto = Recto::in_tree(REPO);
    let without = "include_environment_context=false";
    cli_snapshot!(
        recto,
        "prompt",
        "--format",
        "json",
        "-c",
        without,
        "--app-context",
        "app=1",
        "hi"
    );
}

#[test]
fn input_is_the_array_of_items() {
    cli_snapshot!(Recto::in_tree(REPO), "prompt", "--format", "input", "hi");
}

#[test]
fn responses_is_a_request_body() {
    let recto = Recto::in_tree(REPO);
    let without = "include_environment_context=false";
    cli_snapshot!(recto, "prompt", "--format", "responses", "-c", without, "hi");
}

#[test]
fn responses_lite_has_tools_and_base_instructions_as_items() {
    let recto = Recto::in_tree(REPO);
    let without = "include_environment_context=false";
    cli_snapshot!(recto, "prompt", "--format", "responses-lite", "-c", without, "hi");
}

#[test]
fn without_a_prompt_there_is_no_item_for_it() {
    let run = Recto::in_tree("//- d/\n//- cwd: d").run(&["prompt", "--format", "input"]);
    assert!(!run.stdout.contains("user.text"));
    let items: serde_json::Value = serde_json::from_str(&run.stdout).expect("it is JSON");
    assert_eq!(items.as_array().map(Vec::len), Some(2), "permissions and environment alone");
}

#[test]
fn a_dash_reads_the_prompt_from_standard_input() {
    let recto = Recto::in_tree("//- d/\n//- cwd: d");
    let run = recto.run_with_input(&["prompt", "--format", "input", "-"], b"from a pipe\n\xFF");
    let items: serde_json::Value = serde_json::from_str(&run.stdout).expect("it is JSON");
    let items = items.as_array().expect("it is an array");
    assert_eq!(items[items.len() - 1]["content"][0]["text"], "from a pipe\n\u{fffd}");
    assert_eq!(
        run.stderr,
        "warning: standard input: bytes that are not UTF-8 were replaced by U+FFFD\n"
    );
}

#[test]
fn an_unknown_model_is_told() {
    let recto = Recto::in_tree("//- d/\n//- cwd: d");
    let run = recto.run(&["prompt", "--format", "input", "-c", "model=gpt-99"]);
    assert_eq!(
        run.stderr,
        "warning: the model `gpt-99` is not known here; what every Responses server takes is assumed; \
         `model_catalog_json` can describe it\n"
    );
}

#[test]
fn settings_stand_before_the_command_and_after_it() {
    let recto = Recto::in_tree(
        r#"
        //- repo/.git/
        //- repo/AGENTS.md = "abcdef"
        //- cwd: repo
        "#,
    );
    let text = |arguments: &[&str]| {
        let run = recto.run(&[arguments, &["-c", "model=gpt-5.5"]].concat());
        assert_eq!(run.status, Some(0), "{}", run.stderr);
        run.stdout
            .split("<INSTRUCTIONS>\n")
            .nth(1)
            .and_then(|it| it.lines().next())
            .map(str::to_owned)
    };
    let before = ["-c", "project_doc_max_bytes=1", "prompt"];
    assert_eq!(text(&before).as_deref(), Some("a"));
    let both = ["-c", "project_doc_max_bytes=1", "prompt", "-c", "project_doc_max_bytes=2"];
    assert_eq!(text(&both).as_deref(), Some("ab"), "the later one counts");
    let elsewhere = ["-C", "/", "prompt", "-C", "."];
    assert_eq!(text(&elsewhere).as_deref(), Some("abcdef"));
}
