//! What becomes of an answer that is not whole: asked for again, interrupted, or failed.

use pretty_assertions::assert_eq;
use recto_core::model::SampleError;
use recto_core::testing::Reply;

use super::scene::{Scene, Setting};

const TREE: &str = "
    //- repo/.git/HEAD = \"ref\"
    //- cwd: repo
";

fn thought() -> Reply {
    Reply::Item(r#"{"type":"reasoning","summary":[],"encrypted_content":"E"}"#.to_owned())
}

fn broken() -> Reply {
    Reply::Fail(SampleError::Failed { message: "gone".to_owned(), hint: None })
}

async fn after(script: Vec<Reply>) -> Scene {
    let mut scene = Setting { script: vec![script], ..Setting::of(TREE) }.begin().await;
    scene.say("go").await;
    scene
}

/// The items of the conversation behind what the person said.
fn tail(scene: &Scene) -> Vec<String> {
    let items = scene.session.state().history.items();
    let mut texts: Vec<String> = items.map(|item| item.json().to_owned()).collect();
    let said = texts.iter().rposition(|text| text.contains("\"go\"")).expect("it was said");
    texts.split_off(said + 1)
}

#[tokio::test]
async fn what_a_broken_attempt_said_is_void_once_another_one_begins() {
    let first = [Reply::Message("half"), Reply::Call("c1", "look", "{}")];
    let again = [Reply::Retry("it broke off"), Reply::Message("whole")];
    let scene = Box::pin(after(first.into_iter().chain(again).collect())).await;
    let whole = r#"{"type":"message","role":"assistant","content":[{"type":"output_text","text":"whole"}]}"#;
    assert_eq!(tail(&scene), [whole]);
    assert_eq!(scene.model.requests().len(), 1);
}

#[tokio::test]
async fn a_failure_leaves_what_was_whole_and_no_call_without_an_output() {
    let scene = Box::pin(after(vec![
        Reply::Message("half"),
        Reply::Call("c1", "look", "{}"),
        thought(),
        broken(),
    ]))
    .await;
    assert_eq!(
        tail(&scene),
        [
            r#"{"type":"message","role":"assistant","content":[{"type":"output_text","text":"half"}]}"#,
            r#"{"type":"function_call","name":"look","arguments":"{}","call_id":"c1"}"#,
            r#"{"type":"reasoning","summary":[],"encrypted_content":"E"}"#,
            r#"{"type":"function_call_output","call_id":"c1","output":"aborted"}"#,
        ]
    );
}
