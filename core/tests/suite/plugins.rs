//! Plugins of a host: what the model is told of them, and what mentions one.

use std::sync::Arc;

use insta::assert_snapshot;
use pretty_assertions::assert_eq;
use recto_core::plugins::{Plugin, mentioned_plugins};
use recto_core::session::{SessionSettings, SettingsOverrides, TurnInput, UserInput};
use recto_core::testing::{Fixture, FixtureDirectory, MemoryRecorder, Reply};

use super::scene::{Past, Scene, Setting, settings};

const TREE: &str = "
    //- repo/.git/HEAD = \"ref\"
    //- home/skills/aa/SKILL.md
    ---
    name: aa
    description: First
    ---
    //- home/skills/uu/SKILL.md
    ---
    name: uu
    description: Last
    ---
    //- home/plugins/cal/skills/book/SKILL.md
    ---
    name: book
    description: Books a room
    ---
    Book it.
    //- cwd: repo
";

fn calendar(files: &FixtureDirectory) -> Plugin {
    Plugin {
        id: "cal@shop".to_owned(),
        name: "cal".to_owned(),
        display_name: "Calendar".to_owned(),
        description: "Reads and writes appointments.".to_owned(),
        skills: Some(files.path("home/plugins/cal/skills")),
        mcp_servers: Vec::new(),
    }
}

fn notes() -> Plugin {
    Plugin {
        id: "notes@shop".to_owned(),
        name: "notes".to_owned(),
        display_name: "Notes".to_owned(),
        mcp_servers: vec!["notes".to_owned()],
        ..Plugin::default()
    }
}

/// Brings nothing.
fn empty() -> Plugin {
    Plugin { id: "empty@shop".to_owned(), display_name: "Empty".to_owned(), ..Plugin::default() }
}

async fn scene(plugins: fn(&FixtureDirectory) -> Vec<Plugin>) -> Scene {
    let files = Fixture::parse(TREE).lay_out();
    let settings = SessionSettings { plugins: plugins(&files), ..settings() };
    let recorder = Arc::new(MemoryRecorder::default());
    let past = Past { cwd: files.cwd(), state: None, recorder };
    Setting { settings, ..Setting::of(TREE) }.go_on(files, past).await
}

fn with(plugins: Vec<Plugin>) -> SettingsOverrides {
    SettingsOverrides { plugins: Some(plugins), ..SettingsOverrides::default() }
}

fn end(scene: &Scene, skip: usize) -> String {
    scene.last_request().lines().skip(skip).collect::<Vec<_>>().join("\n")
}

#[tokio::test]
async fn a_model_is_told_of_them_with_the_first_request_and_when_they_change() {
    let mut scene = scene(|files| vec![notes(), empty(), calendar(files)]).await;
    scene.say("one").await;
    assert_snapshot!(scene.layout(), @"
    00 developer [host_skills.instructions, permissions.instructions, plugins.usage_instructions]
    01 user [environments.environment_context]
    02 user [user.text]
    03 assistant
    ");
    assert_snapshot!(scene.last_request().lines().next().unwrap(), @"developer: <skills> | <permissions> | <plugins_instructions>⏎## Plugins⏎A plugin brings skills and tools that belong together. These plugins are switched on. When the user names one, prefer its skills and tools for the task.⏎- Calendar: Reads and writes appointments.⏎- Notes⏎</plugins_instructions>");
    scene.say("two").await;
    scene.give("three", with(vec![notes()])).await;
    scene.give("four", with(vec![empty()])).await;
    scene.say("five").await;
    assert_snapshot!(end(&scene, 4), @"
    user: two
    assistant: ok
    developer: <skills> | <plugins_instructions>⏎## Plugins⏎A plugin brings skills and tools that belong together. These plugins are switched on. When the user names one, prefer its skills and tools for the task.⏎- Notes⏎</plugins_instructions>
    user: three
    assistant: ok
    developer: <plugins_instructions>⏎## Plugins⏎No plugin is switched on any more.⏎</plugins_instructions>
    user: four
    assistant: ok
    user: five
    ");
}

#[tokio::test]
async fn the_skills_of_a_plugin_go_by_its_name_and_theirs() {
    let mut scene = scene(|files| vec![calendar(files)]).await;
    let catalog = scene.session.capture().await.unwrap().skills;
    let names: Vec<&str> = catalog.skills.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["aa", "cal:book", "uu"]);
    scene.say("$book").await;
    assert_snapshot!(end(&scene, 2), @"user: $book");
    scene.say("$cal:book").await;
    assert_snapshot!(end(&scene, 4), @"
    user: $cal:book
    user: <skill>⏎<name>cal:book</name>⏎<path>$ROOT/home/plugins/cal/skills/book/SKILL.md</path>⏎---⏎name: book⏎description: Books a room⏎---⏎Book it.⏎⏎</skill>
    ");
}

#[test]
fn a_link_behind_a_label_mentions_a_plugin_and_nothing_else_does() {
    let ids = |text: &'static str| mentioned_plugins(text).into_iter().collect::<Vec<_>>();
    for text in [
        "see [@cal](plugin://cal@shop)",
        "[@Calendar](plugin://cal@shop)",
        "[@x] (plugin://cal@shop)",
        "[@cal]\n\t( plugin://cal@shop )",
        "`[@cal](plugin://cal@shop)`",
        "\\[@cal](plugin://cal@shop)",
        "[@cal](plugin://cal@shop?x=1) [@cal](plugin://cal@shop)",
    ] {
        assert_eq!(ids(text), ["cal@shop"], "{text}");
    }
    for text in [
        "use @cal now",
        "@cal@shop",
        "[$cal](plugin://cal@shop)",
        "[cal](plugin://cal@shop)",
        "plugin://cal@shop",
        "[@](plugin://cal@shop)",
        "[@My Cal](plugin://cal@shop)",
        "[@a.b](plugin://cal@shop)",
        "[@\u{e9}](plugin://cal@shop)",
        "[@@cal](plugin://cal@shop)",
        "[ @cal](plugin://cal@shop)",
        "@[cal](plugin://cal@shop)",
        "[@cal](PLUGIN://cal@shop)",
        "[@cal](/plugins/cal)",
        "[@cal](plugin://cal@shop",
    ] {
        assert_eq!(ids(text), Vec::<&str>::new(), "{text}");
    }
    assert_eq!(ids("[@b](plugin://b@shop) and [@a](plugin://a@shop)"), ["a@shop", "b@shop"]);
}

#[tokio::test]
async fn what_a_mentioned_plugin_brings_stands_behind_message_and_skill_in_its_turn() {
    let mut scene = scene(|files| vec![notes(), empty(), calendar(files)]).await;
    scene
        .say("[@n](plugin://notes@shop) $cal:book [@c](plugin://cal@shop) [@e](plugin://empty@shop) [@x](plugin://none@shop)")
        .await;
    assert_snapshot!(end(&scene, 2), @"
    user: [@n](plugin://notes@shop) $cal:book [@c](plugin://cal@shop) [@e](plugin://empty@shop) [@x](plugin://none@shop)
    user: <skill>⏎<name>cal:book</name>⏎<path>$ROOT/home/plugins/cal/skills/book/SKILL.md</path>⏎---⏎name: book⏎description: Books a room⏎---⏎Book it.⏎⏎</skill>
    developer: The user names the plugin `Calendar`. It brings:⏎- the skills whose names begin with `cal:`⏎Turn to them first for this task.
    developer: The user names the plugin `Notes`. It brings:⏎- the tools of these MCP servers: `notes`⏎Turn to them first for this task.
    ");
    scene.say("and now?").await;
    assert_eq!(scene.last_request().matches("names the plugin").count(), 2);
    assert_snapshot!(scene.layout().lines().skip(2).collect::<Vec<_>>().join("\n"), @"
    02 user [user.text]
    03 user [skills.selected_skill_instructions]
    04 developer [plugins.instructions]
    05 developer [plugins.instructions]
    06 assistant
    07 user [user.text]
    08 assistant
    ");
}

#[tokio::test]
async fn a_plugin_that_is_switched_off_is_not_mentioned() {
    let mut scene = scene(|_| vec![notes()]).await;
    scene.give("[@n](plugin://notes@shop)", with(Vec::new())).await;
    assert_snapshot!(end(&scene, 0), @"
    developer: <skills> | <permissions>
    user: <environment_context>⏎  <cwd>$ROOT/repo</cwd>⏎  <shell>bash</shell>⏎  <current_date>2026-11-30</current_date>⏎  <timezone>Etc/UTC</timezone>
    user: [@n](plugin://notes@shop)
    ");
}

#[tokio::test]
async fn a_steering_input_mentions_plugins_but_no_skills() {
    let mut scene = scene(|files| vec![notes(), calendar(files)]).await;
    scene.model.then(vec![Reply::Call("c1", "hang", "{}")]);
    let (handle, tools) = (scene.session.handle(), scene.tools.clone());
    let steer = async {
        tools.hangs().await;
        let input = UserInput::text("[@n](plugin://notes@shop) $cal:book");
        handle.submit(TurnInput { input, ..TurnInput::default() });
        tools.release();
    };
    let (_, ()) = tokio::join!(scene.say("go"), steer);
    assert_snapshot!(end(&scene, 3), @r#"
    call c1 hang
    output c1 Text("hang({})")
    user: [@n](plugin://notes@shop) $cal:book
    developer: The user names the plugin `Notes`. It brings:⏎- the tools of these MCP servers: `notes`⏎Turn to them first for this task.
    "#);
}

#[tokio::test]
async fn a_mention_in_what_a_tool_gave_is_not_heard() {
    let mut scene = scene(|_| vec![notes()]).await;
    scene.model.then(vec![Reply::Call("c1", "echo", "[@n](plugin://notes@shop)")]);
    scene.say("go").await;
    assert!(!scene.last_request().contains("names the plugin"));
}
