//! What is said: by argument, by standard input, by both.

#![expect(clippy::disallowed_methods, reason = "a file is the program's standard input")]

use insta::assert_snapshot;
use pretty_assertions::assert_eq;

use super::served::{Served, last_text};
use crate::suite::rollouts::write;

/// What the model is told where a run has these arguments and this input.
fn told(arguments: &[&str], input: &[u8]) -> String {
    let served = Served::new();
    let run = served.run_with_input(arguments, input);
    assert_eq!(run.status, Some(0), "{run}");
    last_text(&served.bodies()[0])
}

#[test]
fn standard_input_is_the_prompt_where_there_is_no_other() {
    assert_eq!(told(&["exec", "-"], b"from input\n"), "from input\n");
    assert_eq!(told(&["exec"], b"from input\n"), "from input\n");
    assert_eq!(told(&["exec"], b"\xef\xbb\xbfmarked"), "marked");
}

#[test]
fn standard_input_stands_in_a_block_behind_a_prompt() {
    assert_eq!(told(&["exec", "do it"], b"data"), "do it\n\n<stdin>\ndata\n</stdin>");
    assert_eq!(told(&["exec", "do it"], b" \n"), "do it");
}

#[test]
fn a_resumed_session_takes_the_argument_alone() {
    let served = Served::new();
    served.run(&["exec", "one"]);
    served.run_with_input(&["resume", "--last", "two"], b"data");
    served.run_with_input(&["resume", "--last"], b"three");
    let texts: Vec<String> = served.bodies().iter().map(last_text).collect();
    assert_eq!(texts, ["one", "two", "three"]);
}

#[test]
fn an_input_that_cannot_be_used_is_refused_before_anything_is_recorded() {
    let served = Served::new();
    let refused = |input: &[u8]| {
        let file = std::fs::File::open(write(&served.recto, "input", input));
        let mut command = served.command(&["exec", "-"]);
        let output = command.stdin(file.expect("it was just written")).output();
        served.show(&output.expect("the program starts")).to_string()
    };
    assert_snapshot!(refused(b""), @"
    status: 2
    ----- stderr -----
    error: there is no prompt: nothing was said, or blanks alone
      hint: say it behind the command, or pipe it into standard input
    ");
    assert_snapshot!(refused(b"caf\xe9"), @"
    status: 2
    ----- stderr -----
    error: standard input is not UTF-8: byte 3 begins no character
      hint: convert it first, as with `iconv -f LATIN1 -t UTF-8`
    ");
    assert_snapshot!(refused(&vec![b'x'; 10_000_000]), @"
    status: 2
    ----- stderr -----
    error: the prompt is longer than 1048576 characters
      hint: put the text into a file and say where it is
    ");
    assert_snapshot!(served.run(&["exec", " "]).to_string(), @"
    status: 2
    ----- stderr -----
    error: there is no prompt: nothing was said, or blanks alone
      hint: say it behind the command, or pipe it into standard input
    ");
    assert_eq!(served.bodies().len(), 0);
    assert_snapshot!(served.run(&["rollout", "list"]).to_string(), @"
    status: 0
    ----- stdout -----
    No session is recorded here.
    ");
}
