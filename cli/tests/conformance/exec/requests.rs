//! What is sent, member by member and header by header.

use std::collections::BTreeSet;

use libtest_mimic::Failed;
use serde_json::Value;

use super::cases::good;
use super::scene::Scene;

/// Members of a body that the reference sends alone; docs/compatibility.md tells why.
const THEIR_MEMBERS: [&str; 1] = ["client_metadata"];
const OUR_MEMBERS: [&str; 1] = ["instructions"];
const THEIR_HEADERS: [&str; 8] = [
    "accept-encoding",
    "originator",
    "session-id",
    "thread-id",
    "x-client-request-id",
    "x-codex-beta-features",
    "x-codex-turn-metadata",
    "x-codex-window-id",
];
const OUR_HEADERS: [&str; 0] = [];

/// Members whose values are the same for the same session and settings.
const EQUAL: [&str; 8] = [
    "model",
    "tool_choice",
    "parallel_tool_calls",
    "reasoning",
    "text",
    "store",
    "stream",
    "include",
];

/// The first request of both for the same question differs in what is documented, and in nothing else.
pub(super) fn requests_differ_as_documented(scene: &Scene) -> Result<(), Failed> {
    let theirs = good(scene.theirs(&["--json", "go"], &[]))?;
    let ours = good(scene.ours(&["exec", "--json", "go"], &[]))?;
    let ((their_head, their_body), (our_head, our_body)) = (&theirs.requests[0], &ours.requests[0]);
    differ("members", &members(our_body), &members(their_body), &OUR_MEMBERS, &THEIR_MEMBERS)?;
    differ("headers", &headers(our_head), &headers(their_head), &OUR_HEADERS, &THEIR_HEADERS)?;
    for name in EQUAL {
        if our_body[name] != their_body[name] {
            return Err(format!("{name}: {}, theirs {}", our_body[name], their_body[name]).into());
        }
    }
    Ok(())
}

/// What only one of the two has is exactly what is expected.
fn differ(
    what: &str,
    ours: &BTreeSet<String>,
    theirs: &BTreeSet<String>,
    ours_alone: &[&str],
    theirs_alone: &[&str],
) -> Result<(), Failed> {
    let only =
        |one: &BTreeSet<String>, other| -> Vec<String> { one.difference(other).cloned().collect() };
    let (found, their_found) = (only(ours, theirs), only(theirs, ours));
    if found == ours_alone && their_found == theirs_alone {
        return Ok(());
    }
    Err(format!("{what}: ours alone {found:?}, theirs alone {their_found:?}").into())
}

fn members(body: &Value) -> BTreeSet<String> {
    body.as_object().map(|body| body.keys().cloned().collect()).unwrap_or_default()
}

fn headers(head: &str) -> BTreeSet<String> {
    let names = head.lines().skip(1).filter_map(|line| line.split_once(':'));
    names.map(|(name, _)| name.to_ascii_lowercase()).collect()
}
