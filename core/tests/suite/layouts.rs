//! What a request is made of in every scenario, one line an item: who speaks, and which fragments it holds.

use std::fmt::Write as _;
use std::time::Duration;

use insta::assert_snapshot;
use pretty_assertions::assert_eq;
use recto_core::agents_md::Freshness;
use recto_core::context::{UserShellCommand, recognize};
use recto_core::session::{SessionSettings, SettingsOverrides, TurnInput, UserInput};
use recto_core::testing::{Reply, Request};
use recto_protocol::{ContentItem, Item, OutputPayload, PermissionProfile, ResponseItem};

use super::scene::{Scene, Setting, is_prefix, settings};

const REPO: &str = "
    //- repo/.git/HEAD = \"ref\"
    //- repo/AGENTS.md = \"ROOT\"
    //- repo/sub/AGENTS.md = \"SUB\"
    //- home/skills/greet/SKILL.md
    ---
    name: greet
    description: Says hello
    ---
    Say hello.
    //- cwd: repo
";

/// A session that looks at every file before each turn, as one that is resumed does.
async fn begin(script: Vec<Vec<Reply>>) -> Scene {
    let settings =
        SessionSettings { developer_instructions: Some("BE NICE".to_owned()), ..settings() };
    Setting { script, settings, freshness: Freshness::Stat, ..Setting::of(REPO) }.begin().await
}

/// The names of the fragments that a part is, or the text itself.
fn part(part: &ContentItem) -> String {
    let Some(text) = part.text() else { return "picture".to_owned() };
    let Some(spec) = recognize(text) else { return format!("{text:?}") };
    let name = spec.kind.as_str();
    let name = name.strip_suffix("instructions").map_or(name, |it| it.trim_end_matches(['.', '_']));
    let notices = [("replace all previously", " replaced"), ("no longer apply", " removed")];
    let notice = notices.iter().find(|(words, _)| text.contains(words)).map_or("", |it| it.1);
    format!("{name}{notice}")
}

fn line(item: &Item) -> String {
    match &*item.decoded() {
        ResponseItem::Message(message) => {
            let parts: Vec<String> = message.content.iter().map(part).collect();
            format!("{} [{}]", message.role, parts.join(", "))
        }
        ResponseItem::FunctionCall(call) => format!("call {} {}", call.call_id, call.name),
        ResponseItem::FunctionCallOutput(output) => {
            let OutputPayload::Text(text) = &output.output else { return "output".to_owned() };
            format!("output {} {text:?}", output.call_id)
        }
        ResponseItem::Reasoning(_) => "reasoning".to_owned(),
        other => format!("{other:?}"),
    }
}

fn layout(request: &Request) -> String {
    let items: Vec<Box<serde_json::value::RawValue>> =
        serde_json::from_str(&request.input).expect("a request is an array");
    let mut out = String::new();
    for (at, item) in items.iter().enumerate() {
        let item = Item::from_json(item.get()).expect("an element is an item");
        let _ = writeln!(out, "{at:02} {}", line(&item));
    }
    out
}

fn last(scene: &Scene) -> String {
    layout(scene.model.requests().last().expect("a request was made"))
}

/// The last request without the context and the first message.
fn end(scene: &Scene) -> String {
    last(scene).lines().skip(3).collect::<Vec<_>>().join("\n")
}

/// Each request so far continues the one before it.
fn assert_growing(scene: &Scene) {
    let requests = scene.model.requests();
    assert!(requests.windows(2).all(|pair| is_prefix(&pair[0].input, &pair[1].input)));
}

#[tokio::test]
async fn first_turn() {
    let mut scene = begin(Vec::new()).await;
    scene.say("hi").await;
    assert_snapshot!(last(&scene), @r#"
    00 developer ["BE NICE", host_skills, permissions]
    01 user [agents_md, environments.environment_context]
    02 user ["hi"]
    "#);
}

#[tokio::test]
async fn instructions_edited_removed_and_added() {
    let mut scene = begin(Vec::new()).await;
    scene.say("one").await;
    scene.write("repo/AGENTS.md", "EDITED\n");
    scene.say("edited").await;
    scene.remove("repo/AGENTS.md");
    scene.say("removed").await;
    scene.write("repo/AGENTS.md", "ADDED");
    scene.say("added").await;
    assert_snapshot!(last(&scene), @r#"
    00 developer ["BE NICE", host_skills, permissions]
    01 user [agents_md, environments.environment_context]
    02 user ["one"]
    03 assistant ["ok"]
    04 user [agents_md replaced]
    05 user ["edited"]
    06 assistant ["ok"]
    07 user [agents_md removed]
    08 user ["removed"]
    09 assistant ["ok"]
    10 user [agents_md]
    11 user ["added"]
    "#);
    assert_growing(&scene);
}

#[tokio::test]
async fn another_directory() {
    let mut scene = begin(Vec::new()).await;
    scene.say("one").await;
    let there = scene.to("repo/sub");
    scene.give("two", there).await;
    assert_snapshot!(last(&scene), @r#"
    00 developer ["BE NICE", host_skills, permissions]
    01 user [agents_md, environments.environment_context]
    02 user ["one"]
    03 assistant ["ok"]
    04 user [agents_md replaced, environments.environment_context]
    05 user ["two"]
    "#);
    assert_growing(&scene);
}

#[tokio::test]
async fn another_sandbox() {
    let mut scene = begin(Vec::new()).await;
    scene.say("one").await;
    let overrides = SettingsOverrides {
        permission_profile: Some(PermissionProfile::Disabled),
        ..SettingsOverrides::default()
    };
    scene.give("two", overrides).await;
    assert_snapshot!(last(&scene), @r#"
    00 developer ["BE NICE", host_skills, permissions]
    01 user [agents_md, environments.environment_context]
    02 user ["one"]
    03 assistant ["ok"]
    04 developer [permissions]
    05 user [environments.environment_context]
    06 user ["two"]
    "#);
    assert_growing(&scene);
}

#[tokio::test]
async fn a_skill_that_is_mentioned() {
    let mut scene = begin(Vec::new()).await;
    scene.say("$greet the team").await;
    scene.say("and now?").await;
    assert_snapshot!(last(&scene), @r#"
    00 developer ["BE NICE", host_skills, permissions]
    01 user [agents_md, environments.environment_context]
    02 user ["$greet the team"]
    03 user [skills.selected_skill]
    04 assistant ["ok"]
    05 user ["and now?"]
    "#);
    assert_growing(&scene);
}

#[tokio::test]
async fn a_tool_call() {
    let script = vec![vec![Reply::Call("c1", "read", "{}"), Reply::Call("c2", "list", "{}")]];
    let mut scene = begin(script).await;
    scene.say("look").await;
    assert_snapshot!(last(&scene), @r#"
    00 developer ["BE NICE", host_skills, permissions]
    01 user [agents_md, environments.environment_context]
    02 user ["look"]
    03 call c1 read
    04 call c2 list
    05 output c1 "read({})"
    06 output c2 "list({})"
    "#);
    assert_growing(&scene);
}

#[tokio::test]
async fn a_tool_call_without_an_output() {
    let script = vec![vec![Reply::Call("c1", "read", "{}"), Reply::Call("c2", "hang", "{}")]];
    let mut scene = begin(script).await;
    let (handle, tools) = (scene.session.handle(), scene.tools.clone());
    let interrupt = async {
        tools.hangs().await;
        handle.interrupt();
    };
    let (_, ()) = tokio::join!(scene.say("look"), interrupt);
    scene.say("go on").await;
    assert_snapshot!(last(&scene), @r#"
    00 developer ["BE NICE", host_skills, permissions]
    01 user [agents_md, environments.environment_context]
    02 user ["look"]
    03 call c1 read
    04 call c2 hang
    05 output c1 "read({})"
    06 output c2 "aborted"
    07 user [generic.turn_aborted]
    08 user ["go on"]
    "#);
    assert_growing(&scene);
}

#[tokio::test]
async fn a_compaction() {
    let script = vec![
        vec![Reply::Call("c1", "read", "{}")],
        vec![Reply::Message("a"), Reply::Usage(5_000)],
        vec![Reply::Message("SUMMARY")],
    ];
    let mut scene = begin(script).await;
    scene.say("one").await;
    scene.session.compact_now().await;
    scene.say("two").await;
    let requests = scene.model.requests();
    assert_eq!(requests.len(), 4);
    let question = layout(&requests[2]);
    assert_eq!(question.lines().count(), 7);
    assert!(question.contains("06 user [\"The conversation is about to be cut down"), "{question}");
    assert_snapshot!(last(&scene), @r#"
    00 developer ["BE NICE", host_skills, permissions]
    01 user [agents_md, environments.environment_context]
    02 user ["one"]
    03 user [compaction.summary]
    04 user ["two"]
    "#);
    assert!(is_prefix(&requests[1].input, &requests[2].input));
}

#[tokio::test]
async fn b111_the_items_of_an_answer_stand_in_the_order_of_the_response() {
    let reasoning = r#"{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"E"}"#;
    let script = vec![vec![
        Reply::Item(reasoning.to_owned()),
        Reply::Message("first"),
        Reply::Call("c1", "read", "{}"),
        Reply::Message("second"),
    ]];
    let mut scene = begin(script).await;
    scene.say("look").await;
    assert_snapshot!(end(&scene), @r#"
    03 reasoning
    04 assistant ["first"]
    05 call c1 read
    06 assistant ["second"]
    07 output c1 "read({})"
    "#);
    assert_growing(&scene);
}

#[tokio::test]
async fn a_command_that_the_person_ran_beside_the_conversation_and_beside_an_input() {
    let mut scene = begin(Vec::new()).await;
    scene.say("one").await;
    let ran = UserShellCommand::new("make test", 4, Duration::from_millis(7), b"err\n");
    scene.session.add_fragment(&ran).await;
    assert_eq!(scene.model.requests().len(), 1);
    let input = UserInput::text("two").with_fragment(&ran);
    scene.session.run(TurnInput { input, ..TurnInput::default() }).await;
    assert_snapshot!(end(&scene), @r#"
    03 assistant ["ok"]
    04 user [shell.user_command]
    05 user ["two"]
    06 user [shell.user_command]
    "#);
    scene.session.roll_back(1).await.unwrap();
    scene.say("three").await;
    assert_eq!(last(&scene).matches("shell.user_command").count(), 1);
}
