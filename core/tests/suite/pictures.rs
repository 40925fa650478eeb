//! Pictures that a person gives: what the model reads of them, and what becomes of those that nobody can show.

#![expect(clippy::disallowed_methods, reason = "a test writes files that are no text")]

use std::fmt::Write as _;
use std::path::Path;

use insta::assert_snapshot;
use pretty_assertions::assert_eq;
use recto_core::hooks::{HookEvent, HookMatcher, HookSpec};
use recto_core::model::find_model;
use recto_core::session::{Picture, SettingsOverrides, TurnEnd, TurnInput, UserInput};
use recto_core::testing::{Reply, ScriptedHookRunner, file_system_under_test};
use recto_protocol::{InputModality, Item, ModelInfo, ResponseItem};

use super::scene::{Scene, Setting};

const TREE: &str = "
    //- repo/.git/HEAD = \"ref\"
    //- cwd: repo
";

/// A red pixel.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x02\0\0\0\x90wS\xde\0\0\0\0IEND\xaeB`\x82";
const URL: &str =
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAAAElFTkSuQmCC";

fn with(pictures: Vec<Picture>, text: Option<&str>) -> TurnInput {
    let input = UserInput { pictures, text: text.map(str::to_owned), ..UserInput::default() };
    TurnInput { input, ..TurnInput::default() }
}

async fn read(scene: &Scene, name: &str, bytes: Option<&[u8]>) -> Picture {
    let path = scene.files.path(name);
    if let Some(bytes) = bytes {
        std::fs::write(&path, bytes).expect("the tree can be written");
    }
    Picture::read(&*file_system_under_test(), &path).await
}

/// The last message of the person in the last request, a line for each part.
fn last_message(scene: &Scene) -> String {
    let request = scene.model.requests().pop().expect("a request was made");
    let items: Vec<Box<serde_json::value::RawValue>> =
        serde_json::from_str(&request.input).expect("a request is an array");
    let last = items.last().expect("a request has an input");
    let last = Item::from_json(last.get()).expect("an element is an item");
    let ResponseItem::Message(message) = last.view() else { panic!("no message: {last:?}") };
    let root = scene.files.root().display().to_string();
    let mut out = String::new();
    for part in &message.content {
        let part = serde_json::to_string(part).expect("a part is JSON");
        let _ = writeln!(out, "{}", part.replace(&root, "$ROOT"));
    }
    out
}

#[tokio::test]
async fn they_stand_before_the_text_as_the_reference_writes_them() {
    let mut scene = Setting::of(TREE).begin().await;
    let named = read(&scene, "repo/a \"<&.png", Some(PNG)).await;
    scene.session.run(with(vec![Picture::from_bytes(PNG), named], Some("look"))).await;
    assert_snapshot!(last_message(&scene), @r#"
    {"type":"input_image","image_url":"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAAAElFTkSuQmCC","detail":"original"}
    {"type":"input_text","text":"<image name=[Image #2] path=\"$ROOT/repo/a \"<&.png\">"}
    {"type":"input_image","image_url":"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAAAElFTkSuQmCC","detail":"original"}
    {"type":"input_text","text":"</image>"}
    {"type":"input_text","text":"look"}
    "#);
    assert_snapshot!(scene.layout(), @"
    00 developer [permissions.instructions]
    01 user [environments.environment_context]
    02 user [user.image, user.text, user.image, user.text, user.text]
    03 assistant
    ");
    assert_eq!(scene.notices(), Vec::<String>::new());
    assert_eq!(Picture::from_url(URL), Picture::from_bytes(PNG));
}

#[tokio::test]
async fn a_picture_alone_is_an_input() {
    let mut scene = Setting::of(TREE).begin().await;
    let ends = scene.session.run(with(vec![Picture::from_url(URL)], None)).await;
    assert_eq!(ends, [TurnEnd::Completed { last_message: Some("ok".to_owned()) }]);
    assert_snapshot!(last_message(&scene), @r#"{"type":"input_image","image_url":"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAAAElFTkSuQmCC","detail":"original"}"#);
    scene.session.roll_back(1).await.unwrap();
    assert_eq!(scene.session.state().history.items().len(), 0);
}

#[tokio::test]
async fn one_that_nobody_can_show_becomes_a_text_and_is_told() {
    let mut scene = Setting::of(TREE).begin().await;
    let gif = b"GIF89a whatever";
    let cut = &PNG[..PNG.len() - 6];
    let pictures = vec![
        read(&scene, "repo/no.png", Some(b"nope")).await,
        read(&scene, "repo/empty.png", Some(b"")).await,
        read(&scene, "repo/cut.png", Some(cut)).await,
        read(&scene, "repo/really_a_gif.png", Some(gif)).await,
        read(&scene, "repo/missing.png", None).await,
        read(&scene, "repo", None).await,
        Picture::from_url("https://example.com/a.png"),
        Picture::from_url("data:image/png;base64,AAAA"),
    ];
    scene.session.run(with(pictures, Some("look"))).await;
    assert_snapshot!(last_message(&scene), @r#"
    {"type":"input_text","text":"<image name=[Image #1] path=\"$ROOT/repo/no.png\">"}
    {"type":"input_text","text":"image content omitted because it could not be processed"}
    {"type":"input_text","text":"</image>"}
    {"type":"input_text","text":"<image name=[Image #2] path=\"$ROOT/repo/empty.png\">"}
    {"type":"input_text","text":"image content omitted because it could not be processed"}
    {"type":"input_text","text":"</image>"}
    {"type":"input_text","text":"<image name=[Image #3] path=\"$ROOT/repo/cut.png\">"}
    {"type":"input_text","text":"image content omitted because it could not be processed"}
    {"type":"input_text","text":"</image>"}
    {"type":"input_text","text":"<image name=[Image #4] path=\"$ROOT/repo/really_a_gif.png\">"}
    {"type":"input_image","image_url":"data:image/gif;base64,R0lGODlhIHdoYXRldmVy","detail":"original"}
    {"type":"input_text","text":"</image>"}
    {"type":"input_text","text":"The picture at `$ROOT/repo/missing.png` could not be read: no such file or directory"}
    {"type":"input_text","text":"The picture at `$ROOT/repo` could not be read: a directory, not a regular file"}
    {"type":"input_text","text":"image content omitted because remote image URLs are not supported"}
    {"type":"input_text","text":"image content omitted because it could not be processed"}
    {"type":"input_text","text":"look"}
    "#);
    assert_snapshot!(scene.notices().join("\n").replace(&scene.files.root().display().to_string(), "$ROOT"), @"
    the picture $ROOT/repo/no.png is left out: it is not a PNG, JPEG, GIF or WebP picture
    the picture $ROOT/repo/empty.png is left out: it is not a PNG, JPEG, GIF or WebP picture
    the picture $ROOT/repo/cut.png is left out: its end is missing
    the picture $ROOT/repo/missing.png is left out: no such file or directory
    the picture $ROOT/repo is left out: a directory, not a regular file
    a picture is left out: it is on another machine
    a picture is left out: it is not a PNG, JPEG, GIF or WebP picture
    ");
    let kinds = scene.layout();
    assert!(kinds.contains("[user.text, images.preparation_error, user.text, "), "{kinds}");
}

#[tokio::test]
async fn a_file_that_no_request_can_hold_is_not_read() {
    let scene = Setting::of(TREE).begin().await;
    let path = scene.files.path("repo/huge.png");
    let file = std::fs::File::create(&path).expect("the tree can be written");
    file.set_len(40_000_000).expect("a file with a hole");
    let picture = Picture::read(&*file_system_under_test(), &path).await;
    let problem = picture.problem().unwrap();
    assert!(problem.ends_with("it is larger than a request may be"), "{problem}");
}

#[tokio::test]
async fn a_model_without_eyes_reads_a_text_and_one_with_eyes_sees_it_again() {
    let mut scene = Setting::of(TREE).begin().await;
    let model = |modalities| SettingsOverrides {
        model: Some(ModelInfo { input_modalities: modalities, ..find_model("gpt-5.5").info }),
        ..SettingsOverrides::default()
    };
    let blind = || model(vec![InputModality::Text]);
    let input =
        TurnInput { overrides: blind(), ..with(vec![Picture::from_url(URL)], Some("look")) };
    scene.session.run(input).await;
    assert_snapshot!(last_message(&scene), @r#"
    {"type":"input_text","text":"image content omitted because you do not support image input"}
    {"type":"input_text","text":"look"}
    "#);
    scene.give("again", model(vec![InputModality::Text, InputModality::Image])).await;
    assert!(scene.model.requests()[1].input.contains(URL));
}

#[tokio::test]
async fn they_come_with_a_steering_input_and_are_kept_when_a_turn_is_interrupted() {
    let script = vec![vec![Reply::Call("c1", "hang", "{}")]];
    let mut scene = Setting { script, ..Setting::of(TREE) }.begin().await;
    let (handle, tools) = (scene.session.handle(), scene.tools.clone());
    let steer = async {
        tools.hangs().await;
        handle.submit(with(vec![Picture::from_url(URL)], Some("this one")));
        handle.interrupt();
    };
    let (_, ()) = tokio::join!(scene.say("go"), steer);
    assert_snapshot!(scene.layout().lines().skip(2).collect::<Vec<_>>().join("\n"), @"
    02 user [user.text]
    03 call c1
    04 output c1
    05 user [generic.turn_aborted]
    06 user [user.image, user.text]
    ");
}

#[tokio::test]
async fn a_hook_that_keeps_a_prompt_back_keeps_its_pictures_back() {
    let hook = HookSpec {
        event: HookEvent::UserPromptSubmit,
        matcher: HookMatcher::default(),
        command: "block".to_owned(),
        timeout: std::time::Duration::from_secs(1),
        source: "/hooks.json".into(),
    };
    let mut setting = Setting::of(TREE);
    setting.hooks = ScriptedHookRunner::default().exits(
        "block",
        0,
        r#"{"decision":"block","reason":"no pictures"}"#,
        "",
    );
    setting.settings.hooks = vec![hook];
    let mut scene = setting.begin().await;
    let ends = scene.session.run(with(vec![Picture::from_url(URL)], None)).await;
    assert_eq!(ends, [TurnEnd::Blocked { reason: "no pictures".to_owned() }]);
    assert!(!scene.layout().contains("user.image"));
}

#[tokio::test]
async fn a_policy_that_forbids_the_file_is_told() {
    let scene = Setting::of(TREE).begin().await;
    let denied = super::support::Faulty::over(
        file_system_under_test(),
        scene.files.path("repo/a.png"),
        recto_core::environment::FileSystemError::Denied {
            path: scene.files.path("repo/a.png"),
            policy: "of the test".to_owned(),
        },
    );
    let picture = Picture::read(&denied, Path::new(&scene.files.path("repo/a.png"))).await;
    assert!(picture.problem().unwrap().contains("may not be read: of the test"));
}
