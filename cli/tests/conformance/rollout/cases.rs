//! What must hold when one program goes on with what the other recorded.

use libtest_mimic::Failed;
use recto_core::model::SampleError;
use recto_core::rollout::{Record, RolloutReader};
use recto_core::session::{TurnInput, UserInput};
use recto_core::testing::Reply;

use super::causes::{
    each_cause_is_named_where_it_alone_holds,
    what_was_loaded_serves_again_in_a_program_that_runs_on,
};
use super::compaction::{they_go_on_with_our_compaction, we_go_on_with_their_compaction};
use super::scene::{FORK, OURS, Scene, replayed};
use super::steps::{
    block_on, is_known, is_user_text, read, record_theirs, same, told_again, wire, write,
};
use crate::support::{Answer, message};

pub(super) type Hold = fn(&Scene) -> Result<(), Failed>;

/// The cases by their names.
pub(super) const CASES: &[(&str, Hold)] = &[
    ("we_send_what_the_reference_recorded_as_it_does", we_go_on_with_theirs),
    ("the_reference_sends_what_we_recorded_and_we_go_on_again", they_go_on_with_ours),
    ("the_reference_goes_on_with_a_fork_of_ours", they_go_on_with_our_fork),
    ("the_reference_cuts_our_conversation_down_that_was_too_long", they_know_it_is_too_long),
    ("a_compaction_of_the_reference_is_sent_on_by_us", we_go_on_with_their_compaction),
    (
        "compactions_of_ours_are_sent_on_and_compacted_by_the_reference",
        they_go_on_with_our_compaction,
    ),
    (
        "each_cause_of_an_old_text_is_named_where_it_alone_holds",
        each_cause_is_named_where_it_alone_holds,
    ),
    (
        "a_selection_that_stays_is_the_cause_in_a_program_that_runs_on",
        what_was_loaded_serves_again_in_a_program_that_runs_on,
    ),
    ("files_of_the_reference_go_through_byte_for_byte", files_go_through),
];

fn we_go_on_with_theirs(scene: &Scene) -> Result<(), Failed> {
    record_theirs(scene)?;
    let recorded = replayed(&scene.rollout("home")).items.len();
    // Two messages of context, three of the first turn and its call and output, an update, two of the second turn.
    if recorded != 10 {
        return Err(format!("{recorded} items were recorded").into());
    }
    let ours = block_on(async {
        let mut fork = scene.fork(FORK, Vec::new()).await;
        let request = fork.say("three").await;
        fork.end().await;
        request
    });
    let theirs = scene.reference("home", &["resume", "--last", "three"])?.remove(0);
    // Theirs begins with the base instructions, which are a field of their own in ours.
    same(&ours[..recorded], &theirs[1..=recorded])?;
    same(&ours[ours.len() - 1..], &theirs[theirs.len() - 1..])?;
    let told = told_again(&ours[recorded..ours.len() - 1]);
    is_known(&told)
}

fn they_go_on_with_ours(scene: &Scene) -> Result<(), Failed> {
    let script = vec![
        vec![Reply::Call("call_1", "tool", "{}")],
        vec![Reply::Message("done \u{1f600}"), Reply::Usage(200)],
    ];
    let ours = block_on(async {
        let mut ours = scene.begin(script).await;
        ours.say("one").await;
        write(&scene.tree.path("repo/AGENTS.md"), "EDITED\n");
        ours.say("two").await;
        let prompt = ours.session.prompt();
        ours.end().await;
        wire(&prompt.input)
    });
    let before = read(scene);
    let theirs = scene.reference("home", &["resume", OURS, "three"])?.remove(0);
    same(&ours, &theirs[1..=ours.len()])?;
    is_user_text(theirs.last(), "three")?;
    let after = read(scene);
    if !after.starts_with(&before) {
        return Err("what was recorded before was changed".into());
    }
    let session = replayed(&scene.rollout("home"));
    if session.faults.total() > 0 {
        return Err(format!("{:?}", session.faults).into());
    }
    let again = block_on(async {
        let mut ours = scene.resume("home", Vec::new()).await;
        let request = ours.say("four").await;
        ours.end().await;
        request
    });
    same(&again[..ours.len()], &ours)?;
    is_user_text(again.last(), "four")?;
    let texts = again.iter().filter(|item| is_user_text(Some(item), "three").is_ok()).count();
    if texts != 1 {
        return Err(format!("their turn is there {texts} times").into());
    }
    let sent = session.items.len();
    let theirs = scene.reference("home", &["resume", OURS, "five"])?.remove(0);
    same(&again, &theirs[1..=again.len()])?;
    if sent > again.len() {
        return Err("items were lost".into());
    }
    Ok(())
}

fn they_go_on_with_our_fork(scene: &Scene) -> Result<(), Failed> {
    record_theirs(scene)?;
    let ours = block_on(async {
        let mut fork = scene.fork(FORK, Vec::new()).await;
        fork.say("three").await;
        let prompt = fork.session.prompt();
        fork.end().await;
        wire(&prompt.input)
    });
    let theirs = scene.reference("own", &["resume", FORK, "four"])?.remove(0);
    same(&ours, &theirs[1..=ours.len()])
}

/// The reference asks for a summary before the next turn, and for nothing with the conversation that did not fit.
fn they_know_it_is_too_long(scene: &Scene) -> Result<(), Failed> {
    let too_long = SampleError::ContextTooLong { message: "too many tokens".to_owned() };
    let script = vec![vec![Reply::Message("a")], vec![Reply::Fail(too_long)]];
    block_on(async {
        let mut ours = scene.begin(script).await;
        ours.say("one").await;
        ours.session.run(TurnInput { input: UserInput::text("two"), ..TurnInput::default() }).await;
        ours.end().await;
    });
    scene.server.then(Answer::of([message("msg_1", "SUMMARY")]));
    let requests = scene.reference("home", &["resume", OURS, "three"])?;
    let [question, turn] = &requests[..] else {
        return Err(format!("{} requests", requests.len()).into());
    };
    let texts = told_again(question);
    if !texts.last().is_some_and(|text| text.contains("CONTEXT CHECKPOINT COMPACTION")) {
        return Err(format!("no summary was asked for: {texts:#?}").into());
    }
    is_user_text(turn.last(), "three")
}

fn files_go_through(scene: &Scene) -> Result<(), Failed> {
    record_theirs(scene)?;
    let bytes = read(scene);
    let mut copy = String::new();
    let mut reader = RolloutReader::new(bytes.as_bytes());
    while let Some(record) = reader.next_record()? {
        match record {
            Record::Line(_, line) => copy = copy + line.text() + "\n",
            Record::Fault(fault) => return Err(format!("{fault:?}").into()),
        }
    }
    if copy == bytes { Ok(()) } else { Err("the copy has other bytes".into()) }
}
