//! What the model is told of the world: all of it at first, then what changed.

use pretty_assertions::assert_eq;
use recto_core::context::RenderedFragment;
use recto_core::context::environment_context::{
    EnvironmentPlace, FileSystemContext, NetworkContext,
};
use recto_core::world_state::{
    AgentsMdFacts, AgentsMdState, EnvironmentFacts, Facts, PermissionFacts, Previous, SECTION_IDS,
    WorldState, WorldStateSection, WorldStateSnapshot,
};
use recto_protocol::{ApprovalPolicy, PermissionProfile};
use serde_json::{Value, json};

fn instructions(directory: Option<&str>, text: Option<&str>) -> AgentsMdState {
    AgentsMdState { directory: directory.map(str::to_owned), text: text.map(str::to_owned) }
}

fn texts(fragments: &[RenderedFragment]) -> String {
    if fragments.is_empty() {
        return "(nothing)".to_owned();
    }
    fragments.iter().map(|it| it.text.as_str()).collect::<Vec<_>>().join("\n---\n")
}

#[test]
fn instructions_are_told_when_they_are_new_changed_or_gone() {
    let none = instructions(None, None);
    let old = instructions(Some("/repo"), Some("old rule\n"));
    let new = instructions(Some("/repo"), Some("new rule\n"));
    let cases = [
        ("absent → absent", Previous::Known(&none), &none),
        ("absent → empty", Previous::Absent, &none),
        ("absent → text", Previous::Absent, &new),
        ("same → same", Previous::Known(&new), &new),
        ("old → new", Previous::Known(&old), &new),
        ("text → empty", Previous::Known(&old), &none),
        ("unknown → text", Previous::Unknown, &new),
        ("unknown → empty", Previous::Unknown, &none),
    ]
    .map(|(name, previous, now)| format!("== {name}\n{}\n", texts(&now.render_diff(previous))));
    insta::assert_snapshot!(cases.join("\n"), @"
    == absent → absent
    (nothing)

    == absent → empty
    (nothing)

    == absent → text
    # AGENTS.md instructions for /repo

    <INSTRUCTIONS>
    new rule

    </INSTRUCTIONS>

    == same → same
    (nothing)

    == old → new
    # AGENTS.md instructions for /repo

    <INSTRUCTIONS>
    These AGENTS.md instructions replace all previously provided AGENTS.md instructions.

    new rule

    </INSTRUCTIONS>

    == text → empty
    # AGENTS.md instructions

    <INSTRUCTIONS>
    The previously provided AGENTS.md instructions no longer apply.
    </INSTRUCTIONS>

    == unknown → text
    # AGENTS.md instructions for /repo

    <INSTRUCTIONS>
    These AGENTS.md instructions replace all previously provided AGENTS.md instructions.

    new rule

    </INSTRUCTIONS>

    == unknown → empty
    # AGENTS.md instructions

    <INSTRUCTIONS>
    The previously provided AGENTS.md instructions no longer apply.
    </INSTRUCTIONS>
    ");
}

#[test]
fn another_directory_alone_is_a_change_of_the_instructions() {
    let here = instructions(Some("/repo"), Some("rule"));
    let there = instructions(Some("/repo/sub"), Some("rule"));
    insta::assert_snapshot!(texts(&there.render_diff(Previous::Known(&here))), @"
    # AGENTS.md instructions for /repo/sub

    <INSTRUCTIONS>
    These AGENTS.md instructions replace all previously provided AGENTS.md instructions.

    rule
    </INSTRUCTIONS>
    ");
}

fn place(cwd: &str) -> EnvironmentPlace {
    EnvironmentPlace { cwd: cwd.to_owned(), shell: "bash".to_owned() }
}

fn facts() -> Facts {
    Facts {
        agents_md: AgentsMdFacts {
            directory: Some("/repo".to_owned()),
            text: Some("rule".to_owned()),
            spans: Vec::new(),
        },
        permissions: Some(PermissionFacts {
            profile: PermissionProfile::Disabled,
            approval_policy: ApprovalPolicy::Never,
        }),
        environment: Some(EnvironmentFacts {
            environments: vec![("local".to_owned(), place("/repo"))],
            current_date: Some("2026-11-30".to_owned()),
            timezone: Some("Etc/UTC".to_owned()),
            network: None,
            filesystem: Some(FileSystemContext {
                workspace_roots: vec!["/repo".to_owned()],
                profile: PermissionProfile::Disabled,
            }),
        }),
        ..Facts::default()
    }
}

fn snapshot(facts: &Facts) -> WorldStateSnapshot {
    WorldState::from_facts(facts).snapshot(&WorldStateSnapshot::default())
}

/// What is told after a change, by kind.
fn told(change: impl Fn(&mut Facts)) -> Vec<RenderedFragment> {
    let mut now = facts();
    change(&mut now);
    WorldState::from_facts(&now).render_diff(Some(&snapshot(&facts())))
}

fn kinds(fragments: &[RenderedFragment]) -> Vec<&str> {
    fragments.iter().map(|it| it.kind.as_str()).collect()
}

#[test]
fn everything_is_told_at_first_in_section_order_and_nothing_when_nothing_changed() {
    let world = WorldState::from_facts(&facts());
    assert_eq!(
        kinds(&world.render_diff(None)),
        ["agents_md.instructions", "permissions.instructions", "environments.environment_context"]
    );
    assert_eq!(told(|_| ()), []);
}

#[test]
fn only_the_section_that_changed_is_told() {
    let agents_md = told(|it| it.agents_md.text = Some("other".to_owned()));
    assert_eq!(kinds(&agents_md), ["agents_md.instructions"]);
    let permissions = told(|it| {
        it.permissions.as_mut().expect("they are told").approval_policy = ApprovalPolicy::OnRequest;
    });
    assert_eq!(kinds(&permissions), ["permissions.instructions"]);
}

fn environment(facts: &mut Facts) -> &mut EnvironmentFacts {
    facts.environment.as_mut().expect("it is told")
}

#[test]
fn a_change_of_the_environment_is_told_with_what_the_model_needs_to_place_it() {
    let changes = [
        ("date", told(|it| environment(it).current_date = Some("2026-12-01".to_owned()))),
        ("cwd", told(|it| environment(it).environments[0].1 = place("/elsewhere"))),
        ("shell", told(|it| "zsh".clone_into(&mut environment(it).environments[0].1.shell))),
        (
            "network",
            told(|it| {
                environment(it).network = Some(NetworkContext {
                    allowed: vec!["z.org".to_owned(), "a&b.org".to_owned()],
                    denied: Vec::new(),
                });
            }),
        ),
        (
            "another one",
            told(|it| environment(it).environments.push(("box".to_owned(), place("/srv")))),
        ),
    ]
    .map(|(name, fragments)| format!("== {name}\n{}\n", texts(&fragments)));
    insta::assert_snapshot!(changes.join("\n"), @r#"
    == date
    <environment_context>
      <current_date>2026-12-01</current_date>
      <timezone>Etc/UTC</timezone>
      <filesystem><workspace_roots><root>/repo</root></workspace_roots><permission_profile type="disabled"><file_system type="unrestricted" /></permission_profile></filesystem>
    </environment_context>

    == cwd
    <environment_context>
      <cwd>/elsewhere</cwd>
      <shell>bash</shell>
      <current_date>2026-11-30</current_date>
      <timezone>Etc/UTC</timezone>
      <filesystem><workspace_roots><root>/repo</root></workspace_roots><permission_profile type="disabled"><file_system type="unrestricted" /></permission_profile></filesystem>
    </environment_context>

    == shell
    <environment_context>
      <cwd>/repo</cwd>
      <shell>zsh</shell>
      <current_date>2026-11-30</current_date>
      <timezone>Etc/UTC</timezone>
      <filesystem><workspace_roots><root>/repo</root></workspace_roots><permission_profile type="disabled"><file_system type="unrestricted" /></permission_profile></filesystem>
    </environment_context>

    == network
    <environment_context>
      <current_date>2026-11-30</current_date>
      <timezone>Etc/UTC</timezone>
      <network enabled="true"><allowed>a&b.org,z.org</allowed></network>
      <filesystem><workspace_roots><root>/repo</root></workspace_roots><permission_profile type="disabled"><file_system type="unrestricted" /></permission_profile></filesystem>
    </environment_context>

    == another one
    <environment_context>
      <environments>
        <environment id="local">
          <cwd>/repo</cwd>
          <shell>bash</shell>
        </environment>
        <environment id="box">
          <cwd>/srv</cwd>
          <shell>bash</shell>
        </environment>
      </environments>
      <current_date>2026-11-30</current_date>
      <timezone>Etc/UTC</timezone>
      <filesystem><workspace_roots><root>/repo</root></workspace_roots><permission_profile type="disabled"><file_system type="unrestricted" /></permission_profile></filesystem>
    </environment_context>
    "#);
}

#[test]
fn b50_markup_in_a_directory_is_escaped_the_same_way_every_time() {
    let mut odd = facts();
    environment(&mut odd).environments[0].1 =
        EnvironmentPlace { cwd: r#"/t/a&b<c>"d'"#.to_owned(), shell: "z<sh".to_owned() };
    let world = WorldState::from_facts(&odd);
    let text = &world.render_diff(None)[2].text;
    assert!(text.contains("<cwd>/t/a&amp;b&lt;c&gt;&quot;d&apos;</cwd>"), "{text}");
    assert!(text.contains("<shell>z&lt;sh</shell>"), "{text}");
    assert_eq!(world.render_diff(Some(&snapshot(&odd))), []);
}

#[test]
fn what_is_remembered_is_every_section_that_was_told_and_no_null() {
    let state = snapshot(&facts());
    let sections: Vec<&str> = state.sections().collect();
    assert_eq!(sections, ["agents_md", "environments", "permissions", "plugins_instructions"]);
    assert!(sections.iter().all(|it| SECTION_IDS.contains(it)));
    assert_eq!(*state.section("agents_md").unwrap(), json!({"directory": "/repo", "text": "rule"}));
    let mut silent = facts();
    silent.agents_md = AgentsMdFacts::default();
    assert_eq!(*snapshot(&silent).section("agents_md").unwrap(), json!({}));
    assert!(!Value::Object(state.to_json()).to_string().contains("null"));
}

#[test]
fn a_patch_leads_from_one_state_to_the_next() {
    let before = snapshot(&facts());
    let mut now = facts();
    now.agents_md = AgentsMdFacts { text: Some("host".to_owned()), ..AgentsMdFacts::default() };
    let after = WorldState::from_facts(&now).snapshot(&before);
    let patch = after.merge_patch_from(&before);
    assert_eq!(patch, Some(json!({"agents_md": {"directory": null, "text": "host"}})));
    assert_eq!(before.patched(&patch.unwrap_or_default()), after);
    assert_eq!(after.merge_patch_from(&after), None);
}

#[test]
fn a_section_whose_record_does_not_decode_is_told_as_unknown() {
    let mut state = snapshot(&facts()).to_json();
    state.insert("agents_md".to_owned(), json!("rubbish"));
    state.remove("permissions");
    let world = WorldState::from_facts(&facts());
    let told = world.render_diff(Some(&WorldStateSnapshot::from_json(state)));
    assert_eq!(kinds(&told), ["agents_md.instructions", "permissions.instructions"]);
    assert!(told[0].text.contains("replace all previously provided"), "{}", told[0].text);
}
