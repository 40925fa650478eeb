//! Which model is asked, and how it is to answer: what is known, what a catalogue says, what the person set.

use pretty_assertions::assert_eq;
use recto_core::config::{ConfigSources, load};
use recto_core::model::{KnownModel, configured_model};
use recto_core::testing::MemoryFileSystem;
use recto_protocol::{
    AnswerStyle, InputModality, ModelInfo, ReasoningSummary, Verbosity, WireKind,
};

const CATALOG: &str = r#"{"models":[{"slug":"own","display_name":"Own","context_window":1000,
    "input_modalities":["text","audio"],"use_responses_lite":true,"default_reasoning_level":"high",
    "support_verbosity":true,"default_verbosity":"medium"},{"slug":"bare"}]}"#;

async fn configured(toml: &str) -> Result<KnownModel, String> {
    let files = MemoryFileSystem::default();
    files.write("/home/config.toml", toml);
    files.write("/home/models.json", CATALOG);
    files.write("/home/broken.json", r#"{"models":[{}]}"#);
    let config = load(&ConfigSources {
        file_system: &files,
        codex_home: "/home".as_ref(),
        system_config: None,
        home: None,
        cwd: "/work".as_ref(),
        overrides: &[],
        assumed_trust: None,
    })
    .await
    .map_err(|error| error.to_string())?;
    assert_eq!(config.warnings, []);
    Ok(configured_model(None, &config.model))
}

fn style(effort: &str, summary: ReasoningSummary, verbosity: Option<Verbosity>) -> AnswerStyle {
    let effort = Some(effort.to_owned()).filter(|it| !it.is_empty());
    AnswerStyle { effort, summary, verbosity }
}

#[tokio::test]
async fn what_a_model_is_asked_for_comes_from_what_is_known_and_what_the_person_set() {
    use ReasoningSummary::{Auto, Detailed, None as Nothing};
    let low = Some(Verbosity::Low);
    for (toml, expected) in [
        ("", style("low", Nothing, low)),
        ("model = 'gpt-5.5'", style("medium", Nothing, low)),
        ("model = 'm'", style("", Auto, None)),
        ("model = 'm'\nmodel_verbosity = 'high'", style("", Auto, None)),
        ("model_reasoning_effort = 'ultra'", style("ultra", Nothing, low)),
        ("model_reasoning_summary = 'detailed'", style("low", Detailed, low)),
        ("model = 'm'\nmodel_reasoning_summary = 'none'", style("", Nothing, None)),
        ("model_verbosity = 'high'", style("low", Nothing, Some(Verbosity::High))),
    ] {
        assert_eq!(configured(toml).await.expect("it is right").info.style, expected, "{toml}");
    }
}

#[tokio::test]
async fn a_catalogue_of_the_person_goes_before_what_is_known() {
    let own = configured("model = 'own'\nmodel_catalog_json = 'models.json'").await;
    let info = ModelInfo {
        slug: "own".to_owned(),
        context_window: Some(1000),
        input_modalities: vec![InputModality::Text],
        wire: WireKind::ResponsesLite,
        base_instructions_carry_personality: false,
        style: style("high", ReasoningSummary::Auto, Some(Verbosity::Medium)),
    };
    assert_eq!(own, Ok(KnownModel { info, is_known: true }));
    let bare = "model = 'bare'\nmodel_catalog_json = 'models.json'\nmodel_context_window = 7";
    let bare = configured(bare).await.expect("it is right");
    assert_eq!((bare.is_known, bare.info.context_window), (true, Some(7)));
    let other = configured("model = 'gpt-5.5'\nmodel_catalog_json = 'models.json'").await;
    assert!(other.expect("it is right").is_known);
}

#[tokio::test]
async fn what_cannot_be_meant_is_an_error_at_its_place() {
    let mut told = Vec::new();
    for toml in [
        "model_reasoning_effort = ' '",
        "model_reasoning_summary = 'long'",
        "model_verbosity = 3",
        "model_catalog_json = 'none.json'",
        "model_catalog_json = 'broken.json'",
    ] {
        told.push(configured(toml).await.expect_err("it is wrong"));
    }
    insta::assert_snapshot!(told.join("\n"), @r#"
    /home/config.toml:1:26: model_reasoning_effort: expected a word that is not blank, found a string " "
    /home/config.toml:1:27: model_reasoning_summary: expected `auto`, `concise`, `detailed` or `none`, found a string "long"
    /home/config.toml:1:19: model_verbosity: expected `low`, `medium` or `high`, found a whole number 3
    /home/config.toml:1:22: model_catalog_json: /home/none.json: no such file or directory
    /home/config.toml:1:22: model_catalog_json: /home/broken.json: expected {"models":[{"slug":"…"}]}: missing field `slug` at line 1 column 13
    "#);
}
