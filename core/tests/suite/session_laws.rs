//! What holds for every session, whatever is said, changed and broken off in it.

use std::path::PathBuf;
use std::sync::Arc;

use proptest::prelude::*;
use recto_core::agents_md::Freshness;
use recto_core::context::collaboration_mode::CollaborationMode;
use recto_core::model::{SampleError, find_model};
use recto_core::rollout::RolloutEntry;
use recto_core::session::{SessionSettings, SettingsOverrides, TurnInput, UserInput};
use recto_core::testing::{Reply, Request, ScriptedTools, rounds};
use recto_protocol::{ApprovalPolicy, InputModality, ModelInfo, PermissionProfile};
use serde_json::json;

use super::scene::{Scene, Setting, is_prefix, settings};
use super::support::block_on;

const TREE: &str = "
    //- repo/.git/HEAD = \"ref\"
    //- repo/AGENTS.md = \"the root\"
    //- repo/sub/AGENTS.md = \"SUB\"
    //- other/AGENTS.md = \"OTHER\"
    //- cwd: repo
";
const DIRECTORIES: [&str; 3] = ["repo", "repo/sub", "other"];
/// Of different lengths, so that a look at the file always tells them apart.
const TEXTS: [&str; 4] = ["", "a", "four", "<not a tag> & more\n"];
/// What a compaction asks begins so.
const QUESTION: &str = "The conversation is about to be cut down";

/// Something that happens to a session.
#[derive(Debug, Clone)]
enum Happening {
    Said(Said),
    /// A file of one of the directories is written, or removed.
    Edited(usize, Option<usize>),
    /// A day of the month.
    Day(u8),
    RolledBack(usize),
}

#[derive(Debug, Clone)]
struct Said {
    change: Change,
    responses: Vec<Vec<Piece>>,
    at_hang: AtHang,
    is_steered: bool,
}

#[derive(Debug, Clone, Copy)]
enum Change {
    Nothing,
    Directory(usize),
    Permissions(bool),
    Approval(bool),
    Mode(bool),
    Model(usize),
}

/// A piece of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Piece {
    Text(&'static str),
    Thought,
    Call,
    /// A call that waits.
    HangingCall,
    Usage(u64),
    Failure,
    TooLong,
    /// Nothing more comes.
    Silence,
}

/// What becomes of a turn in which something hangs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AtHang {
    GoesOn,
    IsInterrupted,
    /// The task that runs the session goes away.
    GoesAway,
}

fn piece() -> impl Strategy<Value = Piece> {
    prop_oneof![
        4 => prop::sample::select(vec![Piece::Text("ok"), Piece::Text(" \n"), Piece::Text("longer\n\"text\"")]),
        2 => Just(Piece::Thought),
        6 => Just(Piece::Call),
        1 => Just(Piece::HangingCall),
        4 => prop::sample::select(vec![Piece::Usage(100), Piece::Usage(5_000)]),
        2 => Just(Piece::Failure),
        1 => Just(Piece::TooLong),
        1 => Just(Piece::Silence),
    ]
}

fn change(models: usize) -> impl Strategy<Value = Change> {
    prop_oneof![
        6 => Just(Change::Nothing),
        2 => (0..DIRECTORIES.len()).prop_map(Change::Directory),
        1 => any::<bool>().prop_map(Change::Permissions),
        1 => any::<bool>().prop_map(Change::Approval),
        1 => any::<bool>().prop_map(Change::Mode),
        1 => (0..models).prop_map(Change::Model),
    ]
}

fn said(models: usize) -> impl Strategy<Value = Said> {
    let response = prop::collection::vec(piece(), 0..4);
    let at_hang = prop::sample::select(vec![
        AtHang::GoesOn,
        AtHang::GoesOn,
        AtHang::IsInterrupted,
        AtHang::GoesAway,
    ]);
    (change(models), prop::collection::vec(response, 0..4), at_hang, any::<bool>()).prop_map(
        |(change, responses, at_hang, is_steered)| Said { change, responses, at_hang, is_steered },
    )
}

fn happenings(models: usize) -> impl Strategy<Value = Vec<Happening>> {
    let text = prop::option::weighted(0.8, 0..TEXTS.len());
    let happening = prop_oneof![
        6 => said(models).prop_map(Happening::Said),
        2 => (0..DIRECTORIES.len(), text).prop_map(|(at, text)| Happening::Edited(at, text)),
        1 => (1..5_u8).prop_map(Happening::Day),
        2 => (0..4_usize).prop_map(Happening::RolledBack),
    ];
    prop::collection::vec(happening, 1..12)
}

/// Two that read the same, one that sees no pictures, one at another provider.
const MODELS: [&str; 4] = ["gpt-5.5", "gpt-6-sol", "blind", "elsewhere"];

fn model(at: usize) -> (ModelInfo, &'static str) {
    let mut info = find_model(MODELS[at]).info;
    if at == 2 {
        info.input_modalities = vec![InputModality::Text];
    }
    (info, if at == 3 { "other" } else { "local" })
}

/// Models of one number read the same bytes.
fn audience_of(slug: &str) -> usize {
    MODELS.iter().position(|it| *it == slug).expect("one of the list").max(1)
}

/// A session in which things happen.
struct Life {
    scene: Scene,
    /// The settings as they stand.
    settings: SessionSettings,
    cwd: PathBuf,
    said: usize,
    calls: usize,
}

impl Life {
    async fn begin() -> Self {
        let mut settings = settings();
        settings.auto_compact_token_limit = Some(4_000);
        let setting =
            Setting { settings: settings.clone(), freshness: Freshness::Stat, ..Setting::of(TREE) };
        let scene = setting.begin().await;
        let cwd = scene.files.cwd();
        Self { scene, settings, cwd, said: 0, calls: 0 }
    }

    async fn happens(&mut self, happening: &Happening) {
        match happening {
            Happening::Said(said) => self.says(said).await,
            Happening::Edited(at, text) => {
                let path = format!("{}/AGENTS.md", DIRECTORIES[*at]);
                match text {
                    Some(text) => self.scene.write(&path, TEXTS[*text]),
                    None => self.scene.remove_if_there(&path),
                }
            }
            Happening::Day(day) => self.scene.clock.set_date(&format!("2026-12-{day:02}")),
            // More turns than there are is an error that changes nothing.
            Happening::RolledBack(turns) => drop(self.scene.session.roll_back(*turns).await),
        }
    }

    async fn says(&mut self, said: &Said) {
        for response in &said.responses {
            let replies = self.replies(response);
            self.scene.model.then(replies);
        }
        self.said += 1;
        let overrides = self.change(said.change);
        let input = TurnInput {
            input: UserInput::text(format!("said {}", self.said)),
            overrides,
            ..TurnInput::default()
        };
        let handle = self.scene.session.handle();
        handle.submit(input);
        self.run(said.at_hang, said.is_steered).await;
    }

    /// Runs until nothing is left to do, or until the task goes away.
    async fn run(&mut self, at_hang: AtHang, is_steered: bool) {
        let (model, tools) = (Arc::clone(&self.scene.model), Arc::clone(&self.scene.tools));
        let handle = self.scene.session.handle();
        let said = &mut self.said;
        let mut steer = || {
            if is_steered {
                *said += 1;
                let input = UserInput::text(format!("said {said}"));
                handle.submit(TurnInput { input, ..TurnInput::default() });
            }
        };
        let watch = async {
            loop {
                let is_call = tokio::select! {
                    () = tools.hangs() => true,
                    () = model.hangs() => false,
                };
                steer();
                match at_hang {
                    AtHang::GoesAway => return,
                    AtHang::GoesOn if is_call => tools.release(),
                    AtHang::GoesOn | AtHang::IsInterrupted => handle.interrupt(),
                }
            }
        };
        tokio::select! {
            _ = self.scene.session.run_until_idle() => {}
            () = watch => {}
        }
    }

    fn change(&mut self, change: Change) -> SettingsOverrides {
        let mut overrides = SettingsOverrides::default();
        let settings = &mut self.settings;
        match change {
            Change::Nothing => {}
            Change::Directory(at) => {
                self.cwd = self.scene.files.path(DIRECTORIES[at]);
                overrides.cwd = Some(self.cwd.clone());
            }
            Change::Permissions(all) => {
                settings.permission_profile = if all {
                    PermissionProfile::Disabled
                } else {
                    super::scene::settings().permission_profile
                };
                overrides.permission_profile = Some(settings.permission_profile.clone());
            }
            Change::Approval(asks) => {
                settings.approval_policy =
                    if asks { ApprovalPolicy::OnRequest } else { ApprovalPolicy::Never };
                overrides.approval_policy = Some(settings.approval_policy);
            }
            Change::Mode(plan) => {
                settings.collaboration_mode =
                    if plan { CollaborationMode::Plan } else { CollaborationMode::Default };
                overrides.collaboration_mode = Some(settings.collaboration_mode);
            }
            Change::Model(at) => {
                let (model, provider) = model(at);
                provider.clone_into(&mut settings.provider);
                settings.model = model;
                overrides.model = Some(settings.model.clone());
                overrides.provider = Some(settings.provider.clone());
            }
        }
        overrides
    }

    /// An answer: no call id comes twice, and one call at most waits.
    fn replies(&mut self, pieces: &[Piece]) -> Vec<Reply> {
        let mut replies = Vec::new();
        let mut is_hanging = false;
        for piece in pieces {
            self.calls += 1;
            let call = |name: &str, id: usize| {
                let call = json!({
                    "type": "function_call", "name": name, "arguments": "{}", "call_id": format!("c{id}"),
                });
                Reply::Item(call.to_string())
            };
            let failed = || SampleError::Failed { message: "gone".to_owned(), hint: None };
            let too_long = || SampleError::ContextTooLong { message: "too many".to_owned() };
            match *piece {
                Piece::Text(text) => replies.push(Reply::Message(text)),
                Piece::Thought => replies.push(Reply::Item(
                    json!({"type": "reasoning", "summary": [], "encrypted_content": "E"})
                        .to_string(),
                )),
                Piece::HangingCall if !is_hanging => {
                    is_hanging = true;
                    replies.push(call(ScriptedTools::HANGS, self.calls));
                }
                Piece::Call | Piece::HangingCall => replies.push(call("read", self.calls)),
                Piece::Usage(tokens) => replies.push(Reply::Usage(tokens)),
                Piece::Failure => replies.push(Reply::Fail(failed())),
                Piece::TooLong => replies.push(Reply::Fail(too_long())),
                Piece::Silence => replies.push(Reply::Hang),
            }
        }
        replies
    }

    fn compactions(&self) -> usize {
        let entries = self.scene.recorder.entries();
        entries.iter().filter(|it| matches!(it, RolloutEntry::Compacted { .. })).count()
    }
}

fn is_question(request: &Request) -> bool {
    let items: Vec<serde_json::Value> = serde_json::from_str(&request.input).expect("an array");
    let text = items.last().and_then(|item| item["content"][0]["text"].as_str().map(str::to_owned));
    text.is_some_and(|text| text.starts_with(QUESTION))
}

/// What was asked last and may still be the start of the next request.
#[derive(Default)]
struct Watch {
    last: Option<Request>,
    seen: usize,
}

impl Watch {
    /// Looks at the requests that came; `replaced` is how many compactions came with them.
    fn look(&mut self, requests: &[Request], replaced: usize) -> Result<(), TestCaseError> {
        let mut broken = 0;
        let mut asked_before = false;
        for request in &requests[self.seen..] {
            let is_question = is_question(request);
            // A question that is asked again is one that was too long.
            if let Some(last) = &self.last
                && audience_of(&last.model) == audience_of(&request.model)
                && !(is_question && asked_before)
                && !is_prefix(&last.input, &request.input)
            {
                prop_assert!(
                    asked_before,
                    "{}\nis not the start of\n{}",
                    last.input,
                    request.input
                );
                broken += 1;
            }
            asked_before |= is_question;
            if !is_question {
                self.last = Some(request.clone());
                asked_before = false;
            }
        }
        self.seen = requests.len();
        prop_assert!(broken <= replaced, "{broken} new windows and {replaced} compactions");
        Ok(())
    }
}

/// The serialized input of a request, without its closing bracket, is the start of the next one's.
async fn requests_only_grow(happenings: &[Happening]) -> Result<(), TestCaseError> {
    let mut life = Life::begin().await;
    let mut watch = Watch::default();
    for happening in happenings {
        let before = life.compactions();
        life.happens(happening).await;
        watch.look(&life.scene.model.requests(), life.compactions() - before)?;
        if matches!(happening, Happening::RolledBack(_)) {
            watch.last = None;
        }
    }
    Ok(())
}

/// A session that goes on from its record asks the model what the live one asks, and records the same.
async fn a_resumed_session_goes_on_as_the_live_one(
    happenings: &[Happening],
) -> Result<(), TestCaseError> {
    let mut life = Life::begin().await;
    for happening in happenings {
        life.happens(happening).await;
    }
    life.scene.model.forget_script();
    life.run(AtHang::GoesOn, false).await;
    let mut resumed =
        life.scene.resumed(life.settings.clone(), life.cwd.clone(), Freshness::Stat).await;
    let requests = life.scene.model.requests().len();
    let recorded = life.scene.recorder.entries().len();
    life.scene.say("and now").await;
    resumed.say("and now").await;
    prop_assert_eq!(&resumed.model.requests(), &life.scene.model.requests()[requests..]);
    let without_names = |entries: &[RolloutEntry]| -> Vec<RolloutEntry> {
        let is_kept = |entry: &&RolloutEntry| {
            !matches!(
                entry,
                RolloutEntry::SettingsApplied(_)
                    | RolloutEntry::TurnStarted(_)
                    | RolloutEntry::TurnEnded { .. }
                    | RolloutEntry::TurnContext(_)
            )
        };
        entries.iter().filter(is_kept).cloned().collect()
    };
    let expected = without_names(&life.scene.recorder.entries()[recorded..]);
    prop_assert_eq!(without_names(&resumed.recorder.entries()), expected);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(rounds(64, 1_500)))]

    #[test]
    fn b68_the_input_of_a_request_is_the_start_of_the_next_ones_soak(
        happenings in happenings(MODELS.len())
    ) {
        block_on(requests_only_grow(&happenings))?;
    }

    #[test]
    fn b82_b100_b135_a_session_goes_on_from_its_record_as_if_it_had_never_stopped_soak(
        happenings in happenings(MODELS.len())
    ) {
        block_on(a_resumed_session_goes_on_as_the_live_one(&happenings))?;
    }
}
