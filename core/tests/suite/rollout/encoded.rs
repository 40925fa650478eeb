//! What a session records is written so that it comes back, here and in the reference.

use insta::assert_snapshot;
use pretty_assertions::assert_eq;
use recto_core::rollout::{
    Baseline, EntryEncoder, RolloutEntry, ThreadSettings, TurnContextItem, Until, replay_bytes,
};
use recto_protocol::rollout::LineStamp;
use recto_protocol::{
    ApprovalPolicy, ContentItem, ContentKind, FileSystemAccess, FileSystemEntry, FileSystemPath,
    FileSystemPermissions, Item, NetworkPermissions, PermissionProfile, Role, SpecialPath,
    ThreadId, TokenUsage, TurnId,
};
use serde_json::json;
use uuid::Uuid;

use super::notation::rollout;

fn turn() -> TurnId {
    TurnId::from_uuid(Uuid::from_u128(2))
}

fn user(text: &str) -> RolloutEntry {
    let part = ContentItem::InputText { text: text.to_owned() };
    RolloutEntry::Item(Item::message(Role::User, [(part, ContentKind::USER_TEXT)]))
}

fn settings() -> RolloutEntry {
    RolloutEntry::TurnContext(TurnContextItem {
        turn_id: turn(),
        cwd: "/t/repo".to_owned(),
        current_date: None,
        timezone: Some("Etc/UTC".to_owned()),
        approval_policy: ApprovalPolicy::Never,
        permission_profile: PermissionProfile::Managed {
            file_system: FileSystemPermissions::Restricted {
                glob_scan_max_depth: None,
                entries: vec![FileSystemEntry {
                    path: FileSystemPath::Special { value: SpecialPath::Root },
                    access: FileSystemAccess::Read,
                }],
            },
            network: NetworkPermissions::Restricted,
        },
        model: "m".to_owned(),
        model_provider: None,
        personality: None,
        collaboration_mode: Some("plan".to_owned()),
    })
}

/// A program takes the session up in a mode of working together.
fn applied(mode: &str) -> RolloutEntry {
    RolloutEntry::SettingsApplied(ThreadSettings {
        cwd: "/t/repo".to_owned(),
        workspace_roots: vec!["/t/repo".to_owned()],
        approval_policy: ApprovalPolicy::OnRequest,
        permission_profile: PermissionProfile::Disabled,
        model: "m".to_owned(),
        model_provider: "p".to_owned(),
        collaboration_mode: Some(mode.to_owned()),
    })
}

fn lines(entries: &[RolloutEntry]) -> Vec<String> {
    let mut encoder =
        EntryEncoder::new(ThreadId::from_uuid(Uuid::from_u128(1)), TokenUsage::default());
    (0..)
        .zip(entries)
        .map(|(ordinal, entry)| {
            encoder.line(entry, LineStamp { timestamp: "T", ordinal: Some(ordinal) })
        })
        .collect()
}

#[test]
fn a_recorded_session_is_rebuilt() {
    let usage = TokenUsage { input_tokens: 5, total_tokens: 7, ..TokenUsage::default() };
    let lines = lines(&[
        RolloutEntry::TurnStarted(turn()),
        RolloutEntry::WorldState { full: true, state: json!({"a": 1}) },
        settings(),
        user("one"),
        RolloutEntry::Usage(usage),
        RolloutEntry::TurnEnded { turn_id: turn(), reason: None },
        RolloutEntry::TurnStarted(turn()),
        user("two"),
        RolloutEntry::TurnEnded { turn_id: turn(), reason: Some("interrupted".to_owned()) },
        RolloutEntry::RolledBack { turns: 1 },
    ]);
    let session = replay_bytes(rollout(&lines).as_bytes(), Until::End).unwrap();
    let texts: Vec<_> = session.items.iter().map(Item::wire_json).collect();
    assert_eq!(
        texts,
        [r#"{"type":"message","role":"user","content":[{"type":"input_text","text":"one"}]}"#]
    );
    assert_eq!(session.items[0].kinds(), [ContentKind::USER_TEXT]);
    assert_eq!((session.faults.total(), session.next_ordinal), (0, Some(10)));
    assert_eq!(session.cwd(), Some("/t/repo"));
    assert!(matches!(session.baseline, Baseline::Known(_)));
    assert_eq!(session.turns.len(), 2);
}

#[test]
fn lines_have_every_member_that_the_reference_asks_for() {
    let usage = TokenUsage { input_tokens: 5, total_tokens: 7, ..TokenUsage::default() };
    let lines = lines(&[
        applied("execute"),
        RolloutEntry::TurnStarted(turn()),
        settings(),
        RolloutEntry::Usage(usage),
        RolloutEntry::Usage(usage),
        RolloutEntry::TurnEnded { turn_id: turn(), reason: Some("the server is gone".to_owned()) },
    ]);
    assert_snapshot!(lines.join("\n"), @r#"
    {"timestamp":"T","ordinal":0,"type":"event_msg","payload":{"thread_id":"00000000-0000-0000-0000-000000000001","thread_settings":{"approval_policy":"on-request","approvals_reviewer":"user","collaboration_mode":{"mode":"default","settings":{"model":"m"}},"cwd":"/t/repo","model":"m","model_provider_id":"p","permission_profile":{"type":"disabled"},"runtime_workspace_roots":["/t/repo"]},"type":"thread_settings_applied"}}
    {"timestamp":"T","ordinal":1,"type":"event_msg","payload":{"turn_id":"00000000-0000-0000-0000-000000000002","type":"task_started"}}
    {"timestamp":"T","ordinal":2,"type":"turn_context","payload":{"approval_policy":"never","collaboration_mode":{"mode":"plan","settings":{"model":"m"}},"cwd":"/t/repo","model":"m","permission_profile":{"file_system":{"entries":[{"access":"read","path":{"type":"special","value":{"kind":"root"}}}],"type":"restricted"},"network":"restricted","type":"managed"},"timezone":"Etc/UTC","turn_id":"00000000-0000-0000-0000-000000000002"}}
    {"timestamp":"T","ordinal":3,"type":"token_usage_record","payload":{"thread_id":"00000000-0000-0000-0000-000000000001","turn_id":"00000000-0000-0000-0000-000000000002","session_id":"00000000-0000-0000-0000-000000000001","root_turn_id":"00000000-0000-0000-0000-000000000002","response_id":"","usage":{"input_tokens":5,"cached_input_tokens":0,"output_tokens":0,"reasoning_output_tokens":0,"total_tokens":7},"turn_token_usage":{"input_tokens":5,"cached_input_tokens":0,"output_tokens":0,"reasoning_output_tokens":0,"total_tokens":7},"thread_token_usage":{"input_tokens":5,"cached_input_tokens":0,"output_tokens":0,"reasoning_output_tokens":0,"total_tokens":7}}}
    {"timestamp":"T","ordinal":4,"type":"token_usage_record","payload":{"thread_id":"00000000-0000-0000-0000-000000000001","turn_id":"00000000-0000-0000-0000-000000000002","session_id":"00000000-0000-0000-0000-000000000001","root_turn_id":"00000000-0000-0000-0000-000000000002","response_id":"","usage":{"input_tokens":5,"cached_input_tokens":0,"output_tokens":0,"reasoning_output_tokens":0,"total_tokens":7},"turn_token_usage":{"input_tokens":10,"cached_input_tokens":0,"output_tokens":0,"reasoning_output_tokens":0,"total_tokens":14},"thread_token_usage":{"input_tokens":10,"cached_input_tokens":0,"output_tokens":0,"reasoning_output_tokens":0,"total_tokens":14}}}
    {"timestamp":"T","ordinal":5,"type":"event_msg","payload":{"error":{"message":"the server is gone"},"last_agent_message":null,"turn_id":"00000000-0000-0000-0000-000000000002","type":"task_complete"}}
    "#);
}

#[test]
fn b139_a_conversation_that_is_too_long_is_recorded_as_the_reference_does() {
    let full = |until_end: bool| {
        let end = RolloutEntry::TurnEnded { turn_id: turn(), reason: Some("too long".to_owned()) };
        let entries = [
            RolloutEntry::TurnStarted(turn()),
            settings(),
            user("one"),
            RolloutEntry::ContextFull { window: 1_000 },
            end,
        ];
        lines(if until_end { &entries } else { &entries[..3] })
    };
    assert_snapshot!(full(true)[3..].join("\n"), @r#"
    {"timestamp":"T","ordinal":3,"type":"event_msg","payload":{"info":{"last_token_usage":{"cached_input_tokens":0,"input_tokens":0,"output_tokens":0,"reasoning_output_tokens":0,"total_tokens":1000},"model_context_window":1000,"total_token_usage":{"cached_input_tokens":0,"input_tokens":0,"output_tokens":0,"reasoning_output_tokens":0,"total_tokens":1000}},"rate_limits":null,"type":"token_count"}}
    {"timestamp":"T","ordinal":4,"type":"event_msg","payload":{"error":{"codex_error_info":"context_window_exceeded","message":"too long"},"last_agent_message":null,"turn_id":"00000000-0000-0000-0000-000000000002","type":"task_complete"}}
    "#);
    let is_full =
        |lines: &[String]| replay_bytes(rollout(lines).as_bytes(), Until::End).unwrap().is_full;
    assert!(is_full(&full(true)));
    assert!(!is_full(&full(false)));
    let after = |entry: RolloutEntry| {
        let mut lines = full(true);
        lines.extend(self::lines(&[entry]));
        is_full(&lines)
    };
    assert!(!after(RolloutEntry::Compacted {
        summary: "S".to_owned(),
        replacement_history: Vec::new()
    }));
    assert!(!after(RolloutEntry::RolledBack { turns: 1 }));
    assert!(after(RolloutEntry::TurnEnded { turn_id: turn(), reason: None }));
}
