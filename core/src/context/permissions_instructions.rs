//! What the agent may do and when it must ask, in words.

use recto_context_fragments::{ContextualUserFragment, Markers};
use recto_protocol::{
    ApprovalPolicy, ContentKind, FileSystemAccess, FileSystemEntry, FileSystemPath, FileSystemPermissions, GranularApproval, NetworkPermissions, PermissionProfile, Role,
};

use super::file_limits::file_limits;
use super::registry::{Cap, ContextFragment};

/// Explains the permissions to the model; what enforces them never reads this text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PermissionsInstructions {
    /// What is allowed.
    pub profile: PermissionProfile,
    /// When to ask.
    pub approval_policy: ApprovalPolicy,
}

impl ContextualUserFragment for PermissionsInstructions {
    fn role(&self) -> Role {
        Role::Developer
    }

    fn markers() -> Markers {
        Markers::new("<permissions instructions>", "</permissions instructions>")
    }

    fn body(&self) -> String {
        let approval: &str = match self.approval_policy {
            ApprovalPolicy::Untrusted => {
                "Commands that only read are run at once; before any other command the user is asked."
            }
            ApprovalPolicy::OnFailure => {
                "Commands run inside these limits. When one fails because of them, the user is asked whether it may \
                 run without."
            }
            ApprovalPolicy::OnRequest => {
                "When a task needs more than this, ask for it together with the command and give the reason in one \
                 sentence. Do not try to get around a limit."
            }
            ApprovalPolicy::Granular(kinds) => &ask_by_kind(kinds),
            ApprovalPolicy::Never => {
                "Nobody can be asked. Work within these limits, and say in your answer what they kept you from doing."
            }
        };
        format!("\n# Permissions\n\n{}\n\n# Approval\n\n{approval}\n", self.limits())
    }
}

impl PermissionsInstructions {
    fn limits(&self) -> String {
        let (file_system, network) = match &self.profile {
            PermissionProfile::Disabled => {
                return "Commands run without a sandbox: they may read and write every file that the user may, and use \
                        the network. Take care with what cannot be undone."
                    .to_owned();
            }
            PermissionProfile::External { network } => {
                ("Something outside this program confines commands; what it allows is not known here.".into(), network)
            }
            PermissionProfile::Managed { file_system, network } => (file_limits(file_system), network),
        };
        let network = match network {
            NetworkPermissions::Enabled => "The network may be used.",
            NetworkPermissions::Restricted => "The network may not be used.",
        };
        format!("{file_system}\n{network}")
    }
}

fn ask_by_kind(kinds: GranularApproval) -> String {
    let kinds = [
        (kinds.sandbox_approval, "commands that must leave these limits"),
        (kinds.rules, "commands that a rule says to ask about"),
        (kinds.mcp_elicitations, "questions of MCP servers"),
        (kinds.request_permissions, "wider permissions"),
        (kinds.skill_approval, "scripts of skills"),
    ];
    let of = |asked| {
        let names: Vec<&str> = kinds.iter().filter(|it| it.0 == asked).map(|it| it.1).collect();
        if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
    };
    format!("The user can be asked about: {}. Refused without asking: {}.", of(true), of(false))
}

impl ContextFragment for PermissionsInstructions {
    const KIND: ContentKind = ContentKind::new("permissions.instructions");
    const SENT: &'static str = "With the first request, and whole again when the permissions changed.";
    const CAP: Cap = Cap::Tokens(2_000);

    fn samples() -> Vec<Self> {
        let entry = |path: &str, access| FileSystemEntry { path: FileSystemPath::Path { path: path.into() }, access };
        let workspace = PermissionProfile::Managed {
            file_system: FileSystemPermissions::Restricted {
                entries: vec![
                    entry("/repo", FileSystemAccess::Write),
                    entry("/repo/.git", FileSystemAccess::Read),
                    entry("/etc", FileSystemAccess::Deny),
                ],
                glob_scan_max_depth: None,
            },
            network: NetworkPermissions::Restricted,
        };
        vec![
            Self { profile: workspace, approval_policy: ApprovalPolicy::OnRequest },
            Self { profile: PermissionProfile::Disabled, approval_policy: ApprovalPolicy::Never },
        ]
    }
}
