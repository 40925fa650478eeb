//! The options of a turn.

#![expect(clippy::disallowed_methods, reason = "the program writes a file of the test's tree")]

use insta::assert_snapshot;
use pretty_assertions::assert_eq;
use serde_json::json;

use super::served::{Served, refused};
use crate::suite::rollouts::write;
use crate::support::{Answer, message};

/// The smallest whole picture: one transparent pixel.
const GIF: &[u8] = b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff!\xf9\x04\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x01D\0;";

#[test]
fn a_schema_goes_out_and_the_last_message_into_a_file() {
    let served = Served::new();
    write(&served.recto, "repo/schema.json", r#"{ "type": "object" }"#);
    served.server.then(Answer::of([message("msg_1", r#"{"a":1}"#)]));
    let run = served.run(&["exec", "--output-schema", "schema.json", "-o", "answer", "give"]);
    assert_eq!(run.stdout, "{\"a\":1}\n");
    let answer = served.recto.tree().path("repo/answer");
    assert_eq!(std::fs::read_to_string(&answer).expect("it was written"), r#"{"a":1}"#);
    let format = served.bodies()[0]["text"]["format"].clone();
    assert_eq!(
        (&format["type"], &format["schema"]),
        (&json!("json_schema"), &json!({"type": "object"}))
    );
    served.server.then(refused("400 Bad Request", "bad", "no such thing"));
    assert_eq!(served.run(&["exec", "-o", "answer", "give"]).status, Some(1));
    assert_eq!(std::fs::read_to_string(&answer).expect("it is there"), "");
}

#[test]
fn a_picture_stands_before_what_was_said() {
    let served = Served::new();
    let path = write(&served.recto, "repo/dot.gif", GIF);
    assert_eq!(served.run(&["exec", "-i", "dot.gif", "what is it?"]).status, Some(0));
    let body = served.bodies().remove(0);
    let item = body["input"].as_array().and_then(|it| it.last()).expect("an item");
    let url = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";
    let expected = json!([
        {"type": "input_text", "text": format!("<image name=[Image #1] path={:?}>", path.display().to_string())},
        {"type": "input_image", "image_url": url, "detail": "original"},
        {"type": "input_text", "text": "</image>"},
        {"type": "input_text", "text": "what is it?"},
    ]);
    assert_eq!(item["content"], expected);
}

#[test]
fn files_that_cannot_be_used_are_named_before_anything_is_asked() {
    let served = Served::new();
    write(&served.recto, "repo/bad.json", "{");
    let run = |option, file| served.run(&["exec", option, file, "hi"]).to_string();
    assert_snapshot!(run("--output-schema", "bad.json"), @"
    status: 2
    ----- stderr -----
    error: the schema in bad.json cannot be used
      cause: EOF while parsing an object at line 1 column 1
      hint: --output-schema takes a file with a JSON schema
    ");
    assert_snapshot!(run("--output-schema", "none.json"), @"
    status: 2
    ----- stderr -----
    error: the schema in none.json cannot be used
      cause: No such file or directory (os error 2)
      hint: --output-schema takes a file with a JSON schema
    ");
    assert_snapshot!(run("-i", "bad.json"), @"
    status: 2
    ----- stderr -----
    error: the picture $ROOT/repo/bad.json is left out: it is not a PNG, JPEG, GIF or WebP picture
    ");
    assert_snapshot!(run("-i", "none.png"), @"
    status: 2
    ----- stderr -----
    error: the picture $ROOT/repo/none.png is left out: no such file or directory
    ");
    assert_snapshot!(run("-o", "none/answer"), @"
    status: 2
    ----- stderr -----
    error: the last message cannot be written to none/answer
      cause: No such file or directory (os error 2)
    ");
    assert_eq!(served.bodies().len(), 0);
}

#[test]
fn values_from_outside_stand_before_what_was_said() {
    let served = Served::new();
    served.run(&["exec", "--context", "branch=main", "hi"]);
    let body = served.bodies().remove(0);
    assert!(body["input"].to_string().contains("<external_branch>main</external_branch>"));
}
