//! What must hold between the two programs.

use libtest_mimic::Failed;
use recto_protocol::ThreadId;
use serde_json::{Value, json};

use super::events::events_are_named_alike;
use super::requests::requests_differ_as_documented;
use super::scene::{Run, Scene, call};
use crate::support::{Answer, message};

pub(super) type Hold = fn(&Scene) -> Result<(), Failed>;

/// The cases by their names.
pub(super) const CASES: &[(&str, Hold)] = &[
    ("events_are_named_alike", events_are_named_alike),
    ("requests_differ_as_documented", requests_differ_as_documented),
    ("the_reference_goes_on_with_ours_and_we_go_on_again", they_go_on_with_ours),
    ("we_go_on_with_theirs_as_a_fork_or_in_place", we_go_on_with_theirs),
    ("a_turn_killed_in_its_second_call_is_ended_by_us_and_gone_on_with_by_the_reference", killed),
];

/// The run came to a good end.
pub(super) fn good(run: Run) -> Result<Run, Failed> {
    if run.status == Some(0) {
        Ok(run)
    } else {
        Err(format!("{:?}\n{}", run.status, run.stderr).into())
    }
}

/// The id of the session that a run tells.
pub(super) fn thread(run: &Run) -> Result<String, Failed> {
    let id = run.events.first().and_then(|event| event["thread_id"].as_str());
    let id = id.ok_or("no session was told")?;
    id.parse::<ThreadId>().map_err(|_| format!("{id} is no id"))?;
    Ok(id.to_owned())
}

/// What was sent before stands at the beginning of what is sent now.
fn begins_with(now: &[Value], before: &[Value]) -> Result<(), Failed> {
    match before.iter().zip(now).position(|(before, now)| before != now) {
        None if now.len() > before.len() => Ok(()),
        None => Err(format!("{} items became {}", before.len(), now.len()).into()),
        Some(at) => Err(format!("item {at} was {}\nand is {}", before[at], now[at]).into()),
    }
}

fn they_go_on_with_ours(scene: &Scene) -> Result<(), Failed> {
    let tools = [Answer::of([call("call_1", "read"), call("call_2", "bad")])];
    let ours = good(scene.ours(&["exec", "--json", "one"], &tools))?;
    let id = thread(&ours)?;
    let theirs = good(scene.theirs(&["resume", "--json", &id, "two"], &[]))?;
    if thread(&theirs)? != id {
        return Err("they go on under another name".into());
    }
    begins_with(&theirs.last_input(), &ours.last_input())?;
    let again = good(scene.ours(&["resume", "--json", &id, "three"], &[]))?;
    if thread(&again)? != id {
        return Err("we go on under another name".into());
    }
    begins_with(&again.last_input(), &theirs.last_input())?;
    let last = good(scene.theirs(&["resume", "--json", "--last", "four"], &[]))?;
    begins_with(&last.last_input(), &again.last_input())
}

fn we_go_on_with_theirs(scene: &Scene) -> Result<(), Failed> {
    let theirs = good(scene.theirs(&["--json", "one"], &[]))?;
    let id = thread(&theirs)?;
    let ours = good(scene.ours_elsewhere(&["resume", "--json", &id, "two"]))?;
    if thread(&ours)? == id {
        return Err("the fork has the name of what it was forked from".into());
    }
    begins_with(&ours.last_input(), &theirs.last_input())?;
    let ours = good(scene.ours_elsewhere(&["resume", "--json", "--in-place", &id, "two"]))?;
    if thread(&ours)? != id {
        return Err("it goes on in place under another name".into());
    }
    let again = good(scene.theirs(&["resume", "--json", &id, "three"], &[]))?;
    begins_with(&again.last_input(), &ours.last_input())
}

fn killed(scene: &Scene) -> Result<(), Failed> {
    let answers = [Answer::of([call("call_1", "read")]), Answer::of([call("call_2", "slow")])];
    let mut child = scene.start(&["exec", "look twice"], &answers)?;
    scene.wait_for_calls(2)?;
    child.kill()?;
    child.wait()?;
    scene.server.take_requests();
    let ended = [Answer::of([message("msg_1", "That is all.")])];
    let ours = good(scene.ours(&["resume", "--json", "--last", "go on"], &ended))?;
    let input = ours.last_input();
    let output =
        |id| input.iter().find(|it| it["call_id"] == id && it["type"] == "function_call_output");
    if output("call_2").map(|it| &it["output"]) != Some(&json!("aborted")) {
        return Err(format!("the second call is not aborted: {input:#?}").into());
    }
    if output("call_1").is_none() {
        return Err("what the first call gave is lost".into());
    }
    let theirs = good(scene.theirs(&["resume", "--json", &thread(&ours)?, "and on"], &[]))?;
    begins_with(&theirs.last_input(), &input)
}
