//! A turn is stopped: by a signal, by a kill, by a reader who goes away.

#![expect(clippy::disallowed_methods, reason = "a hook writes a file of the test's tree")]

use std::io::Read;
use std::process::{Child, Stdio};
use std::time::Duration;

use pretty_assertions::assert_eq;
use rustix::process::{Pid, Signal, kill_process};

use super::served::{Served, delta, last_text};
use crate::suite::command::Run;
use crate::support::Answer;

/// How long a request may take to come.
const PATIENCE: Duration = Duration::from_secs(30);

/// The question of the next turn, and what stands before it.
const AFTER: &str = "and now?";

pub(super) fn start(served: &Served, arguments: &[&str]) -> Child {
    let mut command = served.command(arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("the program starts")
}

pub(super) fn send(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).expect("it runs");
}

pub(super) fn end(served: &Served, child: Child) -> Run {
    served.show(&child.wait_with_output().expect("it ends"))
}

/// The texts of the person's side in the next request.
pub(super) fn texts_after(served: &Served) -> Vec<String> {
    served.server.take_requests();
    let run = served.run(&["resume", "--last", AFTER]);
    assert_eq!(run.status, Some(0), "{run}");
    let body = served.bodies().remove(0);
    let items = body["input"].as_array().expect("an input").iter().skip(2);
    items.filter_map(|item| item["content"][0]["text"].as_str().map(str::to_owned)).collect()
}

fn is_stopped_by(signal: Signal) {
    let served = Served::new();
    let before = vec![delta("It "), delta("is")];
    served.server.then(Answer { before, hangs: true, ..Answer::default() });
    let mut child = start(&served, &["exec", "what is it?"]);
    let mut shown = [0; 5];
    child.stdout.as_mut().expect("it is piped").read_exact(&mut shown).expect("it is written");
    assert_eq!(&shown, b"It is");
    send(&child, signal);
    let run = end(&served, child);
    assert_eq!((run.status, run.stdout.as_str()), (Some(1), "\n"), "{run}");
    assert!(run.stderr.ends_with("error: the turn was interrupted\n"), "{run}");
    let texts = texts_after(&served);
    assert_eq!(texts.len(), 3, "{texts:?}");
    assert_eq!((texts[0].as_str(), texts[2].as_str()), ("what is it?", AFTER));
    assert!(texts[1].starts_with("<turn_aborted>"), "{texts:?}");
}

#[test]
fn the_answer_is_shown_as_it_comes_and_ctrl_c_stops_the_turn_and_records_it() {
    is_stopped_by(Signal::INT);
}

#[test]
fn a_kill_stops_the_turn_and_records_it() {
    is_stopped_by(Signal::TERM);
}

#[test]
fn a_second_ctrl_c_leaves_at_once() {
    let served = Served::new();
    // The prompt is asked about before it is taken up, and again when the turn was interrupted.
    let asks = served.recto.tree().path("asks");
    let hook = format!(
        "[[hooks.UserPromptSubmit]]\n[[hooks.UserPromptSubmit.hooks]]\ntype = \"command\"\n\
         command = \"echo >> {}; sleep 60\"\n",
        asks.display()
    );
    served.configure(&hook);
    let child = start(&served, &["exec", "what is it?"]);
    wait_for(|| lines(&asks) == 1);
    send(&child, Signal::INT);
    wait_for(|| lines(&asks) == 2);
    send(&child, Signal::INT);
    let run = end(&served, child);
    assert_eq!(run.status, Some(1), "{run}");
}

pub(super) fn lines(path: &std::path::Path) -> usize {
    std::fs::read_to_string(path).map_or(0, |text| text.lines().count())
}

pub(super) fn wait_for(is_so: impl Fn() -> bool) {
    let begun = std::time::Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < PATIENCE, "it does not come");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_killed_program_leaves_a_session_that_goes_on() {
    let served = Served::new();
    served.run(&["exec", "one"]);
    served.asked.recv_timeout(PATIENCE).expect("the provider is asked");
    served.server.then(Answer { hangs: true, ..Answer::default() });
    let child = start(&served, &["resume", "--last", "two"]);
    served.asked.recv_timeout(PATIENCE).expect("the provider is asked");
    send(&child, Signal::KILL);
    end(&served, child);
    assert_eq!(texts_after(&served), ["one", "ok", "two", AFTER]);
}

#[test]
fn a_reader_who_goes_away_stops_the_turn_quietly() {
    let served = Served::new();
    let before = (0..2_000).map(|at| delta(&format!("word {at} "))).collect();
    served.server.then(Answer { before, hangs: true, ..Answer::default() });
    let mut child = start(&served, &["exec", "say much"]);
    let mut stdout = child.stdout.take().expect("it is piped");
    stdout.read_exact(&mut [0; 4]).expect("it is written");
    drop(stdout);
    let run = end(&served, child);
    assert_eq!(run.status, Some(0), "{run}");
    assert!(!run.stderr.contains("error"), "{run}");
    assert_eq!(last_text(&served.bodies()[0]), "say much");
    assert!(texts_after(&served)[1].starts_with("<turn_aborted>"));
}
