//! What a provider finds in its cache: a request begins with the bytes of the one before.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::served::{call, thought, with_tools};
use super::stop::lines;
use crate::support::{Answer, message};

/// Turns of the long session; each asks the model twice.
const TURNS: usize = 50;

/// The parts of a body: up to the end of the last item, and behind the input.
fn parts(body: &str) -> (&str, &str) {
    #[derive(Deserialize)]
    struct Body<'a> {
        #[serde(borrow)]
        input: &'a RawValue,
    }

    let input = serde_json::from_str::<Body<'_>>(body).expect("a body is JSON").input.get();
    let start = body.find(input).expect("the input stands in the body");
    let end = start + input.len();
    (&body[..end - 1], &body[end..])
}

#[test]
fn over_fifty_turns_with_tools_each_request_begins_with_the_one_before() {
    let (served, calls) = with_tools();
    for turn in 0..TURNS {
        let id = format!("call_{turn}");
        served.server.then(Answer::of([thought("hm"), call(&id, "mcp__files__read", "{}")]));
        served.server.then(Answer::of([message(&format!("msg_{turn}"), "There.")]));
        let text = format!("question {turn}");
        let words: &[&str] =
            if turn == 0 { &["exec", &text] } else { &["resume", "--last", &text] };
        assert_eq!(served.run(words).status, Some(0));
    }
    let bodies: Vec<String> =
        served.server.take_requests().into_iter().map(|(_, body)| body).collect();
    assert_eq!((bodies.len(), lines(&calls)), (2 * TURNS, TURNS));
    for pair in bodies.windows(2) {
        let ((before, behind), (_, behind_next)) = (parts(&pair[0]), parts(&pair[1]));
        assert!(pair[1].starts_with(&format!("{before},")), "{before}\n{}", pair[1]);
        assert_eq!(behind, behind_next);
    }
}
