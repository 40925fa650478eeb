//! When the person is asked before a command runs.

use recto_protocol::{ApprovalPolicy, GranularApproval};

use super::key::ValueKind;
use super::mismatch::Mismatch;
use super::names::{dotted, nearest};
use super::value::{Item, Table, Value, get};
use super::words::APPROVAL_POLICIES;

/// The policy that the settings name.
pub(super) fn approval_policy(settings: &Table) -> Option<ApprovalPolicy> {
    read(&["approval_policy"], get(settings, &["approval_policy"])?).ok()
}

/// Says what is wrong with an `approval_policy`.
pub(super) fn check_approval_policy(path: &[&str], item: &Item) -> Result<(), Mismatch> {
    read(path, item).map(drop)
}

/// A word, or a table `granular`.
fn read(path: &[&str], item: &Item) -> Result<ApprovalPolicy, Mismatch> {
    let wrong = |hint| {
        let expected = ValueKind::Approval.expected();
        Mismatch { hint, ..Mismatch::new(dotted(path), item, expected) }
    };
    match &item.value {
        Value::Text(word) => by_word(word).ok_or_else(|| wrong(approval_hint(word))),
        Value::Table(table) if table.len() == 1 => match table.get("granular") {
            Some(granular) => granular_approval(&[path, &["granular"]].concat(), granular),
            None => Err(wrong(None)),
        },
        _ => Err(wrong(None)),
    }
}

fn by_word(word: &str) -> Option<ApprovalPolicy> {
    match word {
        "on-request" => Some(ApprovalPolicy::OnRequest),
        "on-failure" => Some(ApprovalPolicy::OnFailure),
        "never" => Some(ApprovalPolicy::Never),
        _ => None,
    }
}

fn approval_hint(word: &str) -> Option<String> {
    if word == "untrusted" {
        return Some("it is what an untrusted project has anyway; remove this setting".to_owned());
    }
    nearest(word, APPROVAL_POLICIES.iter().copied()).map(|it| format!("did you mean `{it}`?"))
}

fn granular_approval(path: &[&str], item: &Item) -> Result<ApprovalPolicy, Mismatch> {
    let Value::Table(table) = &item.value else {
        return Err(Mismatch::new(dotted(path), item, "a table".to_owned()));
    };
    let required = |name| match boolean(path, table, name)? {
        Some(boolean) => Ok(boolean),
        None => Err(Mismatch {
            found: "nothing".to_owned(),
            ..Mismatch::new(dotted(&[path, &[name]].concat()), item, ValueKind::Boolean.expected())
        }),
    };
    let optional = |name| Ok(boolean(path, table, name)?.unwrap_or(false));
    Ok(ApprovalPolicy::Granular(GranularApproval {
        sandbox_approval: required("sandbox_approval")?,
        rules: required("rules")?,
        mcp_elicitations: required("mcp_elicitations")?,
        request_permissions: optional("request_permissions")?,
        skill_approval: optional("skill_approval")?,
    }))
}

fn boolean(path: &[&str], table: &Table, name: &str) -> Result<Option<bool>, Mismatch> {
    match table.get(name) {
        None => Ok(None),
        Some(Item { value: Value::Boolean(boolean), .. }) => Ok(Some(*boolean)),
        Some(item) => {
            let key = dotted(&[path, &[name]].concat());
            Err(Mismatch::new(key, item, ValueKind::Boolean.expected()))
        }
    }
}
