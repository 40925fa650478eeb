//! What must hold when one program goes on with a session that the other one compacted.

use libtest_mimic::Failed;
use recto_core::session::TurnEnd;
use recto_core::testing::Reply;
use serde_json::Value;

use super::scene::{FORK, OURS, Scene, replayed};
use super::steps::{block_on, is_known, is_user_text, read, record_theirs, same, told_again, wire};
use crate::support::{Answer, message};

/// Makes the reference compact before a turn: every answer of the provider costs more.
const COMPACTING: [&str; 2] = ["-c", "model_auto_compact_token_limit=100"];

fn compacting<'a>(words: &[&'a str]) -> Vec<&'a str> {
    [&COMPACTING, words].concat()
}

/// How often the session of a home was compacted.
fn compactions(scene: &Scene) -> usize {
    read(scene).matches(r#""type":"compacted""#).count()
}

pub(super) fn we_go_on_with_their_compaction(scene: &Scene) -> Result<(), Failed> {
    record_theirs(scene)?;
    scene.server.then(Answer::of([message("msg_s", "THEIR SUMMARY")]));
    scene.reference("home", &compacting(&["resume", "--last", "three"]))?;
    if compactions(scene) != 1 {
        return Err("the reference did not compact".into());
    }
    let session = replayed(&scene.rollout("home"));
    let recorded = session.items.len();
    if session.window.number != 1 || session.faults.total() > 0 {
        return Err(format!("{:?} {:?}", session.window, session.faults).into());
    }
    let ours = block_on(async {
        let mut fork = scene.fork(FORK, Vec::new()).await;
        let request = fork.say("four").await;
        fork.end().await;
        request
    });
    let theirs = scene.reference("home", &["resume", "--last", "four"])?.remove(0);
    same(&ours[..recorded], &theirs[1..=recorded])?;
    same(&ours[ours.len() - 1..], &theirs[theirs.len() - 1..])?;
    is_known(&told_again(&ours[recorded..ours.len() - 1]))?;
    // What a compaction took away is gone from the fork's request, and the summary is there once.
    let text = Value::from(ours).to_string();
    if text.matches("THEIR SUMMARY").count() == 1 && !text.contains("call_1") {
        Ok(())
    } else {
        Err(format!("not the compacted conversation: {text}").into())
    }
}

pub(super) fn they_go_on_with_our_compaction(scene: &Scene) -> Result<(), Failed> {
    let script = vec![
        vec![Reply::Call("call_1", "tool", "{}")],
        vec![Reply::Message("done"), Reply::Usage(200)],
        vec![Reply::Message("OUR SUMMARY")],
        vec![Reply::Message("second"), Reply::Usage(200)],
        vec![Reply::Message("OUR LAST SUMMARY")],
    ];
    let ours = block_on(async {
        let mut ours = scene.begin(script).await;
        ours.say("one").await;
        compact(&mut ours.session).await?;
        ours.say("two").await;
        compact(&mut ours.session).await?;
        let prompt = ours.session.prompt();
        ours.end().await;
        Ok::<_, Failed>(wire(&prompt.input))
    })?;
    let before = read(scene);
    let theirs = scene.reference("home", &["resume", OURS, "three"])?.remove(0);
    same(&ours, &theirs[1..=ours.len()])?;
    is_user_text(theirs.last(), "three")?;
    is_known(&told_again(&theirs[1 + ours.len()..]))?;
    if !read(scene).starts_with(&before) {
        return Err("what was recorded before was changed".into());
    }
    // Now the reference compacts what both of us recorded, and we go on with that.
    scene.server.then(Answer::of([message("msg_s", "THEIR SUMMARY")]));
    scene.reference("home", &compacting(&["resume", OURS, "four"]))?;
    let session = replayed(&scene.rollout("home"));
    if (compactions(scene), session.faults.total()) != (3, 0) {
        return Err(format!("{} compactions, {:?}", compactions(scene), session.faults).into());
    }
    let again = block_on(async {
        let mut ours = scene.resume("home", Vec::new()).await;
        let request = ours.say("five").await;
        ours.end().await;
        request
    });
    is_user_text(again.last(), "five")?;
    is_known(&told_again(&again[session.items.len()..]))?;
    let theirs = scene.reference("home", &["resume", OURS, "six"])?.remove(0);
    same(&again, &theirs[1..=again.len()])
}

async fn compact(session: &mut recto_core::session::Session) -> Result<(), Failed> {
    match session.compact_now().await {
        TurnEnd::Completed { .. } => Ok(()),
        end => Err(format!("{end:?}").into()),
    }
}
