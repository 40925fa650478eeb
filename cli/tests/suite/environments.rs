//! Several environments: what each gave, and why one gave nothing.

use recto_core::testing::sftp_server;

use super::command::{Recto, Run};

const TREE: &str = r#"
    //- here/.git/
    //- here/AGENTS.md = "HERE\n"
    //- there/.git/
    //- there/AGENTS.md = "THERE\n"
    //- there/sub/AGENTS.md = "SUB\n"
    //- blank/.git/
    //- blank/AGENTS.md = " \n"
    //- cwd: here
"#;

/// The arguments of an environment that the SFTP server of this machine is; none where there is no server.
fn environment(recto: &Recto, name: &str, cwd: &str) -> Option<Vec<String>> {
    let server = sftp_server();
    #[expect(clippy::disallowed_methods, reason = "a variable of CI")]
    let must_be_there = std::env::var_os("CI").is_some();
    assert!(server.is_some() || !must_be_there, "apt-get install openssh-sftp-server");
    let command = format!("--env={name}={}", server?.display());
    Some(vec![command, format!("--env-cwd={name}={}", recto.tree().path(cwd).display())])
}

fn run(recto: &Recto, arguments: &[String]) -> Run {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    recto.run(&arguments)
}

#[test]
fn docs_of_several_environments_stand_in_labelled_groups() {
    let recto = Recto::in_tree(TREE);
    let Some(there) = environment(&recto, "box", "there/sub") else { return };
    let format = ["prompt", "--format", "input", "hi"].map(str::to_owned);
    let run = run(&recto, &[&format[..], &there].concat());
    let input: serde_json::Value = serde_json::from_str(&run.stdout).expect("it is JSON");
    let context = &input[1]["content"];
    let text = |at: usize| context[at]["text"].as_str().unwrap_or_default().to_owned();
    insta::assert_snapshot!(text(0), @"
    # AGENTS.md instructions

    <INSTRUCTIONS>
    for `local` with root $ROOT/here

    HERE


    for `box` with root $ROOT/there/sub

    THERE


    SUB

    </INSTRUCTIONS>
    ");
    insta::assert_snapshot!(text(1), @r#"
    <environment_context>
      <environments>
        <environment id="local">
          <cwd>$ROOT/here</cwd>
          <shell>$SHELL</shell>
        </environment>
        <environment id="box">
          <cwd>$ROOT/there/sub</cwd>
          <shell>sh</shell>
        </environment>
      </environments>
      <current_date>$DATE</current_date>
      <timezone>$TIMEZONE</timezone>
      <filesystem><workspace_roots><root>$ROOT/here</root></workspace_roots><permission_profile type="managed"><file_system type="restricted"><entry access="read"><special>:root</special></entry></file_system></permission_profile></filesystem>
    </environment_context>
    "#);
}

#[test]
fn explain_tells_what_each_environment_gave_and_why_one_gave_nothing() {
    let recto = Recto::in_tree(TREE);
    let Some(there) = environment(&recto, "box", "there/sub") else { return };
    let Some(blank) = environment(&recto, "blank", "blank") else { return };
    let failed = ["--env=off=sh -c 'echo no route to host >&2; exit 255'", "--env-cwd=off=/srv"];
    let failed = failed.map(str::to_owned);
    let text = run(&recto, &[&["explain".to_owned()][..], &there, &blank, &failed].concat());
    insta::assert_snapshot!(text.stdout, @r#"
    cwd     ~/here
    root    ~/here, where the walk up ended because of .git (a directory)
    trust   not decided: no entry of [projects] names this directory or its git root

    What the model reads, in this order                      bytes   tokens   budget
      1 project  AGENTS.md                                       5       ≈2      <1%
      2 project  box:$ROOT/there/AGENTS.md
                                                                 6       ≈2      <1%
      3 project  box:$ROOT/there/sub/AGENTS.md
                                                                 4       ≈1      <1%
                 3 files                                        15       ≈5

    budget  █░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ <1%  local
            5 of 32,768 bytes, 32,763 left (≈8,190 tokens)
    budget  ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ 0%  blank
            0 of 32,768 bytes, 32,768 left (≈8,192 tokens)
    budget  █░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ <1%  box
            10 of 32,768 bytes, 32,758 left (≈8,189 tokens)

    Environments
      local $ROOT/here     1 doc, 5 bytes, told as "for `local` with
                                           root $ROOT/here"
      blank $ROOT/blank    empty: its docs are blank
      box $ROOT/there/sub  2 docs, 10 bytes, told as "for `box` with
                                           root $ROOT/there/sub"
      off /srv                             failed: `sh -c echo no route to host >&2;
                                           exit 255`: the connection ended (exit
                                           status: 255): no route to host

    Not read
      blank:$ROOT/blank/AGENTS.md
        blank: it holds only white space

    Configuration
      ~/home/config.toml  used
      ! the environment `off` is not used: `sh -c echo no route to host >&2; exit
        255`: the connection ended (exit status: 255): no route to host
    "#);
    let format = ["explain", "--format", "json"].map(str::to_owned);
    let json = run(&recto, &[&format[..], &there, &blank, &failed].concat());
    let document: serde_json::Value = serde_json::from_str(&json.stdout).expect("it is JSON");
    let rows: Vec<String> = document["environments"]
        .as_array()
        .expect("it is a list")
        .iter()
        .map(|it| format!("{} {} {} {}", it["id"], it["status"], it["docs"], it["reason"]))
        .collect();
    insta::assert_snapshot!(rows.join("\n"), @r#"
    "local" "read" 1 null
    "blank" "empty" 0 "its docs are blank"
    "box" "read" 2 null
    "off" "failed" 0 "`sh -c echo no route to host >&2; exit 255`: the connection ended (exit status: 255): no route to host"
    "#);
    insta::assert_snapshot!(json.stderr, @"warning: the environment `off` is not used: `sh -c echo no route to host >&2; exit 255`: the connection ended (exit status: 255): no route to host");
}

#[test]
fn an_environment_of_the_configuration_is_used_and_a_projects_is_not() {
    let recto = Recto::in_tree(
        r#"
        //- home/config.toml = "[environments.off]\ncommand = [\"false\"]\ncwd = \"/srv\"\n[projects.\"$ROOT/repo\"]\ntrust_level = \"trusted\"\n"
        //- repo/.git/HEAD = "x"
        //- repo/.codex/config.toml = "[environments.evil]\ncommand = [\"touch\", \"$ROOT/evil\"]\ncwd = \"/\"\n"
        //- cwd: repo
        "#,
    );
    let run = recto.run(&["prompt", "--format", "input"]);
    insta::assert_snapshot!(run.stderr, @"
    warning: $ROOT/repo/.codex/config.toml:1:2: a project's own configuration may not set `environments`; it is ignored
    warning: the environment `off` is not used: `false`: the connection ended (exit status: 1)
    ");
    assert!(
        !std::fs::exists(recto.tree().path("evil")).unwrap_or(true),
        "a project's command was run"
    );
}

#[test]
fn what_is_said_wrongly_about_an_environment_is_named() {
    let recto = Recto::in_tree("//- repo/.git/\n//- cwd: repo\n");
    let rows: [&[&str]; 6] = [
        &["--env", "box"],
        &["--env", "a b=x"],
        &["--env", "box='x"],
        &["--env", "box=x"],
        &["--env", "box=", "--env-cwd", "box=/"],
        &["--env", "local=x", "--env-cwd", "local=/"],
    ];
    let errors: Vec<String> = rows
        .iter()
        .map(|arguments| {
            let run = recto.run(&[&["prompt"], *arguments].concat());
            run.stderr.lines().next().unwrap_or_default().to_owned()
        })
        .collect();
    insta::assert_snapshot!(errors.join("\n"), @"
    error: invalid value 'box' for '--env <NAME=COMMAND>': expected NAME=COMMAND
    error: invalid value 'a b=x' for '--env <NAME=COMMAND>': a name has letters, digits, `-` and `_`
    error: invalid value 'box='x' for '--env <NAME=COMMAND>': a quote in the command is not closed
    error: -c: environments.box.cwd: expected the absolute path of a directory there, found nothing
    error: -c: environments.box.command: expected a list that starts with a program, found a list
    error: -c: environments: expected a name other than `local`, which is this machine, found `local`
    ");
}

#[test]
fn a_read_that_the_profile_denies_is_named_with_a_way_out() {
    let recto = Recto::in_tree(
        r#"
        //- home/config.toml = "default_permissions = \"x\"\n[permissions.x.filesystem]\n\":root\" = \"read\"\n\"$ROOT/repo/AGENTS.md\" = \"deny\"\n"
        //- repo/.git/
        //- repo/AGENTS.md = "R"
        //- cwd: repo
        "#,
    );
    insta::assert_snapshot!(recto.run(&["prompt"]).stderr, @"
    error: project instructions could not be read: $ROOT/repo/AGENTS.md may not be read: the permission profile denies $ROOT/repo/AGENTS.md
      hint: let the permission profile read it: [permissions.NAME.filesystem]
    ");
}
