//! The tools that a host gives a thread: where the model sees them, and who runs them.

use insta::assert_snapshot;
use pretty_assertions::assert_eq;
use recto_core::session::SessionSettings;
use recto_core::testing::Reply;
use recto_core::tools::dynamic_definitions;
use recto_protocol::{DynamicTool, DynamicToolSpec, DynamicTools};
use serde_json::value::RawValue;

use super::lives::Life;
use super::scene::{Setting, settings};

const TREE: &str = "
    //- repo/.git/HEAD = \"ref\"
    //- cwd: repo
";

fn function(name: &str) -> DynamicToolSpec {
    let input_schema = RawValue::from_string(r#"{"type":"object","n":1.50}"#.to_owned());
    DynamicToolSpec::Function(DynamicTool {
        name: name.to_owned(),
        description: format!("Does {name}."),
        input_schema: input_schema.expect("it is JSON"),
    })
}

fn with_tools(names: &[&str]) -> SessionSettings {
    let specs = names.iter().map(|name| function(name)).collect();
    let dynamic_tools = DynamicTools::new(specs).expect("the names are good");
    SessionSettings { dynamic_tools, ..settings() }
}

#[test]
fn a_model_reads_them_as_the_reference_writes_them() {
    let description = "Calendar.".to_owned();
    let tools = vec![function("add")];
    let namespace = DynamicToolSpec::Namespace { name: "cal".to_owned(), description, tools };
    let tools = DynamicTools::new(vec![function("zeta"), namespace]).expect("the names are good");
    let lines: Vec<String> =
        dynamic_definitions(&tools).iter().map(|it| it.json.get().to_owned()).collect();
    assert_snapshot!(lines.join("\n"), @r#"
    {"type":"function","name":"zeta","description":"Does zeta.","strict":false,"parameters":{"type":"object","n":1.50}}
    {"type":"namespace","name":"cal","description":"Calendar.","tools":[{"type":"function","name":"add","description":"Does add.","strict":false,"parameters":{"type":"object","n":1.50}}]}
    "#);
}

#[tokio::test]
async fn they_stand_among_the_other_tools_by_name_and_the_handler_runs_them() {
    let script = vec![vec![Reply::Call("c1", "zeta", "{}")]];
    let settings = with_tools(&["zeta", "alpha"]);
    let mut scene =
        Setting { script, settings, tools: vec!["mid"], ..Setting::of(TREE) }.begin().await;
    scene.say("hi").await;
    for request in scene.model.requests() {
        assert_eq!(request.tools, ["alpha", "mid", "zeta"]);
    }
    assert!(scene.last_request().ends_with("output c1 Text(\"zeta({})\")\n"));
}

#[tokio::test]
async fn a_tool_of_the_handler_hides_the_hosts_of_that_name_and_that_is_told() {
    let settings = with_tools(&["alpha", "mid"]);
    let mut scene = Setting { settings, tools: vec!["mid"], ..Setting::of(TREE) }.begin().await;
    assert_eq!(
        scene.notices(),
        ["the host's tool `mid` is left out: there is another one of that name"]
    );
    scene.say("hi").await;
    assert_eq!(scene.model.requests()[0].tools, ["alpha", "mid"]);
}

#[tokio::test]
async fn a_resumed_thread_has_the_tools_of_its_record_unless_the_host_gives_others() {
    let mut life =
        Life::begin(Setting { settings: with_tools(&["zeta"]), ..Setting::of(TREE) }).await;
    life.say("one").await;
    let mut life = life.resume(Setting::of(TREE)).await;
    life.say("two").await;
    assert_eq!(life.scene.model.requests()[0].tools, ["zeta"]);
    let mut life =
        life.resume(Setting { settings: with_tools(&["eta"]), ..Setting::of(TREE) }).await;
    life.say("three").await;
    assert_eq!(life.scene.model.requests()[0].tools, ["eta"]);
}
