//! The shape that a turn's answer is to have: which requests ask for it.

use pretty_assertions::assert_eq;
use recto_core::session::{TurnInput, UserInput};
use recto_core::testing::Reply;
use recto_protocol::OutputSchema;

use super::scene::{Scene, Setting};

const TREE: &str = "
    //- repo/.git/HEAD = \"ref\"
    //- cwd: repo
";

fn turn(text: &str, schema: Option<&str>) -> TurnInput {
    let output_schema = schema.map(|it| OutputSchema::from_json(it).expect("it is JSON"));
    TurnInput { input: UserInput::text(text), output_schema, ..TurnInput::default() }
}

/// The schema of each request so far; `free` where there is none.
fn schemas(scene: &Scene) -> Vec<String> {
    let requests = scene.model.requests().into_iter();
    requests
        .map(|it| it.output_schema.map_or_else(|| "free".to_owned(), |it| it.json().to_owned()))
        .collect()
}

#[tokio::test]
async fn every_request_of_a_turn_asks_for_its_schema_and_no_other_turn_does() {
    let script = vec![vec![Reply::Call("c1", "look", "{}")]];
    let mut scene = Setting { script, ..Setting::of(TREE) }.begin().await;
    scene.session.run(turn("one", Some(r#"{"type": "object"}"#))).await;
    scene.say("two").await;
    let object = r#"{"type":"object"}"#;
    assert_eq!(schemas(&scene), [object, object, "free"]);
}

#[tokio::test]
async fn a_summary_is_asked_for_without_the_schema_of_the_turn() {
    let script =
        vec![vec![Reply::Call("c1", "look", "{}"), Reply::Usage(5_000)], vec![Reply::Message("S")]];
    let mut setting = Setting { script, ..Setting::of(TREE) };
    setting.settings.auto_compact_token_limit = Some(4_000);
    let mut scene = setting.begin().await;
    scene.session.run(turn("one", Some("{}"))).await;
    assert_eq!(schemas(&scene), ["{}", "free", "{}"]);
}

#[tokio::test]
async fn an_input_that_joins_a_turn_keeps_its_schema_unless_it_brings_one() {
    let hang = || vec![Reply::Call("c", "hang", "{}")];
    let script = vec![hang(), hang()];
    let mut scene = Setting { script, ..Setting::of(TREE) }.begin().await;
    let (handle, tools) = (scene.session.handle(), scene.tools.clone());
    let steer = async {
        for input in [turn("plain", None), turn("shaped", Some("[2]"))] {
            tools.hangs().await;
            handle.submit(input);
            tools.release();
        }
    };
    let (_, ()) = tokio::join!(scene.session.run(turn("go", Some("[1]"))), steer);
    assert_eq!(schemas(&scene), ["[1]", "[1]", "[2]"]);
}
