//! Hooks: what they are told, what their answers mean, and that none of them holds a session.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use insta::assert_snapshot;
use pretty_assertions::assert_eq;
use recto_core::hooks::{
    HookCall, HookContext, HookEnd, HookEvent, HookFailure, HookMatcher, HookOutcome, HookOutput,
    HookProcess, HookRunner, HookSpec, HookVerdict, LocalHookRunner, MAX_OUTPUT_BYTES,
    SessionStartSource, run_hooks,
};
use recto_core::testing::{Fixture, FixtureDirectory, ScriptedHookRunner};
use recto_protocol::ApprovalPolicy;
use tokio::time::Instant;

const SECOND: Duration = Duration::from_secs(1);

fn hook(event: HookEvent, command: &str) -> HookSpec {
    HookSpec {
        event,
        matcher: HookMatcher::default(),
        command: command.to_owned(),
        timeout: 5 * SECOND,
        source: "/home/hooks.json".into(),
    }
}

fn context() -> HookContext {
    HookContext {
        session_id: "S".to_owned(),
        turn_id: Some("T".to_owned()),
        transcript_path: Some("/home/sessions/r.jsonl".into()),
        cwd: "/".into(),
        model: "gpt-5.5".to_owned(),
        approval_policy: ApprovalPolicy::Never,
    }
}

fn call(event: HookEvent) -> HookCall {
    match event {
        HookEvent::SessionStart => HookCall::SessionStart { source: SessionStartSource::Startup },
        HookEvent::UserPromptSubmit => HookCall::UserPromptSubmit { prompt: "do X".to_owned() },
        HookEvent::Stop => {
            let last_assistant_message = Some("ok".to_owned());
            HookCall::Stop { stop_hook_active: false, last_assistant_message }
        }
    }
}

/// What one hook leads to, as one line: context, verdict, messages.
fn line(outcome: &HookOutcome) -> String {
    let mut parts: Vec<String> = Vec::new();
    parts.extend(outcome.additional_context.as_ref().map(|it| format!("context {it:?}")));
    match &outcome.verdict {
        HookVerdict::Continue => {}
        HookVerdict::Block { reason } => parts.push(format!("block {reason:?}")),
        HookVerdict::StopTurn { reason } => parts.push(format!("stop {reason:?}")),
        HookVerdict::Failed(failure) => parts.push(format!("failed: {failure}")),
    }
    parts.extend(outcome.messages.iter().map(|it| format!("message: {it}")));
    if parts.is_empty() { "nothing".to_owned() } else { parts.join("; ") }
}

async fn outcome(event: HookEvent, code: i32, stdout: &str, stderr: &str) -> String {
    let runner = ScriptedHookRunner::default().exits("h", code, stdout, stderr);
    let outcomes = run_hooks(&runner, &[hook(event, "h")], &context(), &call(event)).await;
    line(&outcomes[0])
}

fn with_context(event: &str, rest: &str) -> String {
    format!(
        r#"{{"hookSpecificOutput":{{"hookEventName":"{event}","additionalContext":"x"}}{rest}}}"#
    )
}

#[tokio::test]
async fn b63_every_answer_of_a_session_start_hook_has_a_defined_result() {
    let valid = with_context("SessionStart", "");
    let mut text = String::new();
    for (name, code, stdout, stderr) in [
        ("valid", 0, &*valid, ""),
        ("unknown field", 0, &with_context("SessionStart", ",\"zzz\":1"), ""),
        (
            "unknown inner field",
            0,
            r#"{"hookSpecificOutput":{"hookEventName":"SessionStart","y":2}}"#,
            "",
        ),
        ("wrong event", 0, &with_context("Stop", ""), ""),
        ("plain text", 0, " plain text out\n", ""),
        ("nothing", 0, "\n", "noise"),
        ("empty object", 0, "{}", ""),
        (
            "empty context",
            0,
            r#"{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":""}}"#,
            "",
        ),
        ("exit 1 with JSON", 1, &valid, "err1\nmore"),
        ("exit 2", 2, &valid, "err2"),
        ("list", 0, "[1,2]", ""),
        ("broken JSON", 0, "{\"continue\":", ""),
        ("system message", 0, r#"{"systemMessage":"SYS","suppressOutput":true}"#, ""),
        ("continue false", 0, r#"{"continue":false,"stopReason":"STOPPED"}"#, ""),
        ("block", 0, r#"{"decision":"block","reason":"no"}"#, ""),
    ] {
        let result = outcome(HookEvent::SessionStart, code, stdout, stderr).await;
        writeln!(text, "{name}: {result}").unwrap();
    }
    assert_snapshot!(text, @r#"
    valid: context "x"
    unknown field: failed: the hook's answer is not understood: unknown field `zzz`, expected one of `continue`, `stopReason`, `suppressOutput`, `systemMessage`, `decision`, `reason`, `hookSpecificOutput` at line 1 column 84
    unknown inner field: failed: the hook's answer is not understood: unknown field `y`, expected `hookEventName` or `additionalContext` at line 1 column 57
    wrong event: context "x"; message: a SessionStart hook answered as if it were for Stop
    plain text: context "plain text out"
    nothing: nothing
    empty object: nothing
    empty context: context ""
    exit 1 with JSON: failed: the hook exited with code 1: err1
    exit 2: failed: the hook exited with code 2: err2
    list: failed: the hook's answer is not understood: it is a list, not an object
    broken JSON: failed: the hook's answer is not understood: EOF while parsing a value at line 1 column 12
    system message: message: SYS
    continue false: stop Some("STOPPED")
    block: failed: a SessionStart hook cannot decide `block`
    "#);
}

#[tokio::test]
async fn a_hook_on_the_prompt_may_block_it_and_keeps_its_context() {
    let mut text = String::new();
    for (name, code, stdout, stderr) in [
        ("context", 0, &*with_context("UserPromptSubmit", ""), ""),
        ("block", 0, &with_context("UserPromptSubmit", r#","decision":"block","reason":"NO""#), ""),
        ("continue false", 0, &with_context("UserPromptSubmit", r#","continue":false"#), ""),
        ("exit 2", 2, "ignored", "blocked by 2\n"),
        ("exit 2 without a word", 2, "", " \n"),
        ("block without a reason", 0, r#"{"decision":"block"}"#, ""),
        ("approve", 0, r#"{"decision":"approve"}"#, ""),
        ("exit 1", 1, "", ""),
    ] {
        let result = outcome(HookEvent::UserPromptSubmit, code, stdout, stderr).await;
        writeln!(text, "{name}: {result}").unwrap();
    }
    assert_snapshot!(text, @r#"
    context: context "x"
    block: context "x"; block "NO"
    continue false: context "x"; stop None
    exit 2: block "blocked by 2"
    exit 2 without a word: failed: the hook blocks and gives no reason
    block without a reason: failed: the hook blocks and gives no reason
    approve: failed: a UserPromptSubmit hook cannot decide `approve`
    exit 1: failed: the hook exited with code 1
    "#);
}

#[tokio::test]
async fn a_stop_hook_may_ask_to_go_on_and_has_no_place_for_context() {
    let mut text = String::new();
    for (name, code, stdout, stderr) in [
        ("nothing", 0, "{}", ""),
        ("block", 0, r#"{"decision":"block","reason":"again"}"#, ""),
        ("exit 2", 2, "", "exit2 reason\n"),
        ("continue false", 0, r#"{"continue":false,"stopReason":"halt"}"#, ""),
        ("block without a reason", 0, r#"{"decision":"block","reason":" "}"#, ""),
        ("context", 0, &with_context("Stop", ""), ""),
        ("plain text", 0, "done", ""),
    ] {
        let result = outcome(HookEvent::Stop, code, stdout, stderr).await;
        writeln!(text, "{name}: {result}").unwrap();
    }
    assert_snapshot!(text, @r#"
    nothing: nothing
    block: block "again"
    exit 2: block "exit2 reason"
    continue false: stop Some("halt")
    block without a reason: failed: the hook blocks and gives no reason
    context: message: a Stop hook cannot add context; what it wrote was left out
    plain text: message: a Stop hook cannot add context; what it wrote was left out
    "#);
}

#[tokio::test]
async fn a_hook_is_told_what_the_reference_tells_it() {
    let mut told = String::new();
    for event in HookEvent::ALL {
        let runner = ScriptedHookRunner::default();
        run_hooks(&runner, &[hook(event, "h")], &context(), &call(event)).await;
        told.push_str(&runner.processes()[0].input);
    }
    assert_snapshot!(told, @r#"
    {"session_id":"S","transcript_path":"/home/sessions/r.jsonl","cwd":"/","hook_event_name":"SessionStart","model":"gpt-5.5","permission_mode":"bypassPermissions","source":"startup"}
    {"session_id":"S","turn_id":"T","transcript_path":"/home/sessions/r.jsonl","cwd":"/","hook_event_name":"UserPromptSubmit","model":"gpt-5.5","permission_mode":"bypassPermissions","prompt":"do X"}
    {"session_id":"S","turn_id":"T","transcript_path":"/home/sessions/r.jsonl","cwd":"/","hook_event_name":"Stop","model":"gpt-5.5","permission_mode":"bypassPermissions","stop_hook_active":false,"last_assistant_message":"ok"}
    "#);
}

#[tokio::test]
async fn hooks_run_for_their_event_and_source_and_answer_in_the_order_of_the_configuration() {
    let matcher = |text: &str, command: &str| HookSpec {
        matcher: HookMatcher::new(text).expect("a matcher"),
        ..hook(HookEvent::SessionStart, command)
    };
    let hooks = [
        matcher("startup", "first"),
        matcher("resume", "other source"),
        hook(HookEvent::Stop, "other event"),
        matcher("resume|startup", "second"),
        matcher("*", "third"),
        matcher("", "fourth"),
        matcher("start", "part of a name"),
    ];
    let runner = ScriptedHookRunner::default()
        .exits("first", 0, "1", "")
        .exits("second", 0, "2", "")
        .exits("third", 1, "3", "")
        .exits("fourth", 0, "4", "");
    let outcomes = run_hooks(&runner, &hooks, &context(), &call(HookEvent::SessionStart)).await;
    let lines: Vec<String> =
        outcomes.iter().map(|it| format!("{} {}", it.run_id, line(it))).collect();
    assert_snapshot!(lines.join("\n"), @r#"
    session-start:0:/home/hooks.json context "1"
    session-start:2:/home/hooks.json context "2"
    session-start:3:/home/hooks.json failed: the hook exited with code 1
    session-start:4:/home/hooks.json context "4"
    "#);
}

#[tokio::test(start_paused = true)]
async fn b125_a_hook_that_never_answers_ends_with_its_time_and_holds_no_other() {
    let runner = ScriptedHookRunner::default().hangs("hang").exits("good", 0, "CTX", "");
    let event = HookEvent::UserPromptSubmit;
    let hooks = [hook(event, "hang"), hook(event, "good"), hook(event, "missing")];
    let start = Instant::now();
    let outcomes = run_hooks(&runner, &hooks, &context(), &call(event)).await;
    assert!(start.elapsed() <= 8 * SECOND);
    let lines: Vec<String> = outcomes.iter().map(line).collect();
    assert_eq!(
        lines,
        [
            "failed: the hook took longer than 5 s and was killed",
            "context \"CTX\"",
            "failed: the hook did not start: no script for this command",
        ]
    );
}

/// A tree to write into, gone with the test.
fn scratch() -> FixtureDirectory {
    Fixture::parse("//- cwd: repo\n//- repo/").lay_out()
}

#[expect(clippy::disallowed_methods, reason = "what a command wrote is looked at as it is on disk")]
fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}

/// Waits until something holds.
async fn until(holds: impl Fn() -> bool) {
    let wait = async {
        while !holds() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(60 * SECOND, wait).await.expect("it holds in the end");
}

/// Waits until a process is gone, or only its entry is left.
async fn gone(pid: &str) {
    let status = Path::new("/proc").join(pid).join("stat");
    until(|| {
        let status = read(&status);
        let state = status.rsplit(')').next().unwrap_or_default().trim_start();
        state.is_empty() || state.starts_with('Z')
    })
    .await;
}

async fn real(command: &str, timeout: Duration) -> HookOutput {
    let process = HookProcess {
        command: command.to_owned(),
        cwd: "/".into(),
        input: "the input\n".to_owned(),
        timeout,
    };
    LocalHookRunner.run(process).await
}

#[tokio::test]
async fn a_real_command_reads_its_input_and_its_outputs_are_kept_apart() {
    let output = real("read line; echo \"got $line in $PWD\"; echo why >&2; exit 3", 20 * SECOND);
    let output = output.await;
    assert_eq!(output.end, HookEnd::Exited(3));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "got the input in /\n");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "why\n");
}

#[tokio::test]
async fn a_real_command_need_not_read_its_input_and_may_die() {
    assert_eq!(real("exit 0", 20 * SECOND).await.end, HookEnd::Exited(0));
    assert_eq!(real("kill -9 $$", 20 * SECOND).await.end, HookEnd::Signalled(9));
    let nowhere = HookProcess {
        command: "true".to_owned(),
        cwd: "/no/such/directory".into(),
        input: String::new(),
        timeout: SECOND,
    };
    let HookEnd::NotStarted(reason) = LocalHookRunner.run(nowhere).await.end else {
        panic!("a directory that is not there");
    };
    assert!(reason.contains("No such file or directory"), "{reason}");
}

#[tokio::test]
async fn a_real_command_that_hangs_is_killed_with_all_that_it_started() {
    let directory = scratch();
    let pids = directory.path("pids");
    let command =
        format!("sleep 300 & echo $! > {0}; echo head; echo $$ >> {0}; wait", pids.display());
    let output = real(&command, SECOND / 2).await;
    assert_eq!(output.end, HookEnd::TimedOut);
    assert_eq!(output.stdout, b"head\n");
    let pids = read(&pids);
    assert_eq!(pids.lines().count(), 2);
    for pid in pids.lines() {
        gone(pid).await;
    }
}

#[tokio::test]
async fn a_real_command_whose_future_is_dropped_is_killed_with_all_that_it_started() {
    let directory = scratch();
    let pids = directory.path("pids");
    let command = format!("sleep 300 & echo $! > {0}; wait", pids.display());
    let run = tokio::spawn(async move { real(&command, 300 * SECOND).await });
    until(|| !read(&pids).trim().is_empty()).await;
    run.abort();
    gone(read(&pids).trim()).await;
}

#[tokio::test]
async fn what_a_command_leaves_running_holds_nobody() {
    let start = Instant::now();
    let output = real("echo early; sleep 30 & exit 0", 20 * SECOND).await;
    assert_eq!((output.end, &*output.stdout), (HookEnd::Exited(0), &b"early\n"[..]));
    assert!(start.elapsed() < 15 * SECOND);
}

#[tokio::test]
async fn a_flood_of_output_is_read_to_its_end_and_its_head_is_kept() {
    let output = real("head -c 5000000 /dev/zero; echo end >&2", 60 * SECOND).await;
    assert_eq!(output.end, HookEnd::Exited(0));
    assert_eq!(output.stdout.len(), MAX_OUTPUT_BYTES);
    assert_eq!(output.stderr, b"end\n");
}

#[test]
fn a_failure_says_what_went_wrong_in_one_line() {
    let failure = HookFailure::Exited { code: 1, stderr: "first\nsecond".to_owned() };
    assert_eq!(failure.to_string(), "the hook exited with code 1: first");
    let failure = HookFailure::Exited { code: 1, stderr: String::new() };
    assert_eq!(failure.to_string(), "the hook exited with code 1");
}
