//! What can be wrong before a turn, and in it.

use insta::assert_snapshot;

use super::served::{Served, refused};

#[test]
fn a_turn_that_the_provider_refuses_exits_with_1_and_the_session_goes_on() {
    let served = Served::new();
    served.server.then(refused("400 Bad Request", "bad", "no such thing"));
    assert_snapshot!(served.run(&["exec", "hi"]).to_string(), @"
    status: 1
    ----- stderr -----
    session $ID
      model gpt-5.5 from local, in $ROOT/repo
    error: local refused with 400 Bad Request: no such thing (bad)
    ");
    assert_eq!(served.run(&["resume", "--last", "again"]).status, Some(0));
}

#[test]
fn a_missing_key_is_named_before_anything_is_recorded() {
    let served = Served::new();
    let run = served.run(&["exec", "-c", "model_provider=\"openai\"", "hi"]);
    assert_snapshot!(run.to_string(), @"
    status: 2
    ----- stderr -----
    error: the provider `OpenAI` needs a key: set the environment variable OPENAI_API_KEY
    ");
    assert_snapshot!(served.run(&["rollout", "list"]).stdout, @"No session is recorded here.");
}

#[test]
fn a_directory_that_is_not_there_is_named() {
    let served = Served::new();
    assert_snapshot!(served.run(&["exec", "-C", "/no/such", "hi"]).to_string(), @"
    status: 2
    ----- stderr -----
    error: /no/such does not exist, so no turn can run in it
      hint: name a directory that exists with -C
    ");
    assert_snapshot!(served.run(&["exec", "-C", "AGENTS.md", "hi"]).to_string(), @"
    status: 2
    ----- stderr -----
    error: $ROOT/repo/AGENTS.md is a regular file, so no turn can run in it
      hint: name a directory that exists with -C
    ");
}

#[test]
fn a_session_whose_directory_is_gone_goes_on_elsewhere() {
    let served = Served::new();
    let gone = served.recto.tree().path("repo/gone");
    std::fs::create_dir(&gone).expect("the tree is ours");
    served.run(&["exec", "-C", "gone", "hi"]);
    std::fs::remove_dir(&gone).expect("the tree is ours");
    assert_snapshot!(served.run(&["resume", "--last", "--all", "on"]).to_string(), @"
    status: 2
    ----- stderr -----
    error: $ROOT/repo/gone does not exist, so no turn can run in it
      hint: the session worked there last; name another directory with -C
    ");
    let files = served.run(&["rollout", "list"]);
    let id = files.stdout.lines().nth(1).and_then(|line| line.split(' ').next()).expect("an id");
    assert_eq!(served.run(&["resume", "-C", ".", id, "on"]).status, Some(0));
}

#[test]
fn a_full_disk_is_told_once_and_the_answer_is_there() {
    let served = Served::new();
    let recto = served.command(&["exec", "hi"]);
    let mut shell = std::process::Command::new("sh");
    // Where a file may not grow, a write fails as on a full disk.
    shell.args(["-c", "trap '' XFSZ; ulimit -f 2; exec \"$@\"", "sh"]);
    shell.arg(recto.get_program()).args(recto.get_args()).env_clear();
    shell.envs(recto.get_envs().filter_map(|(name, value)| Some((name, value?))));
    shell.current_dir(served.recto.tree().cwd());
    let run = served.show(&shell.output().expect("the program starts"));
    assert_eq!((run.status, run.stdout.as_str()), (Some(1), "ok\n"), "{run}");
    let told: Vec<&str> = run.stderr.lines().filter(|it| it.contains("recorded")).collect();
    assert_eq!(told.len(), 2, "{run}");
    assert!(told[0].starts_with("warning: ") && told[1].starts_with("error: "), "{run}");
}

#[test]
fn a_session_that_is_not_there_is_an_error() {
    let served = Served::new();
    assert_snapshot!(served.run(&["resume", "--last", "hi"]).to_string(), @"
    status: 2
    ----- stderr -----
    error: there is no session of $ROOT/repo
      hint: searched in $ROOT/home/sessions, $ROOT/home/archived_sessions, $ROOT/.local/state/recto/sessions, $ROOT/.local/state/recto/archived_sessions
    ");
    assert_snapshot!(served.run(&["resume", "hi"]).to_string(), @"
    status: 2
    ----- stderr -----
    error: no session is called hi
      hint: searched in $ROOT/home/sessions, $ROOT/home/archived_sessions, $ROOT/.local/state/recto/sessions, $ROOT/.local/state/recto/archived_sessions
    ");
}
