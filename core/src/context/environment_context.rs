//! Facts about where the agent works: directory, shell, date, what may be reached.

use recto_context_fragments::{ContextualUserFragment, Markers};
use recto_protocol::{
    ContentKind, FileSystemAccess, FileSystemEntry, FileSystemPath, FileSystemPermissions, PermissionProfile, Role,
};

use super::registry::{Cap, ContextFragment};
use super::xml::{element, escape};

/// The environment as the model is told it; what is none has no line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EnvironmentContext {
    /// Where commands run.
    pub environments: EnvironmentList,
    /// `2026-11-30`, in the person's time zone.
    pub current_date: Option<String>,
    /// The IANA name.
    pub timezone: Option<String>,
    /// Hosts that a managed network lets through or not.
    pub network: Option<NetworkContext>,
    /// Files that may be reached.
    pub filesystem: Option<FileSystemContext>,
    /// Agents that can be asked for help, as text.
    pub subagents: Option<String>,
}

/// The environments that are told.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum EnvironmentList {
    /// None, or nothing about them changed.
    #[default]
    None,
    /// One, told without its name.
    Single(EnvironmentPlace),
    /// Several, each with its name.
    Multiple(Vec<(String, EnvironmentPlace)>),
}

/// A directory and the shell in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnvironmentPlace {
    /// The directory.
    pub cwd: String,
    /// The shell's name.
    pub shell: String,
}

/// Hosts that a managed network lets through or not.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NetworkContext {
    /// Hosts that may be reached.
    pub allowed: Vec<String>,
    /// Hosts that may not.
    pub denied: Vec<String>,
}

/// Files that may be reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileSystemContext {
    /// The workspace.
    pub workspace_roots: Vec<String>,
    /// What is allowed.
    pub profile: PermissionProfile,
}

impl EnvironmentContext {
    /// Whether everything but the shells is the same.
    pub fn equals_except_shell(&self, other: &Self) -> bool {
        let without_shell = |context: &Self| {
            let mut context = context.clone();
            match &mut context.environments {
                EnvironmentList::None => {}
                EnvironmentList::Single(place) => place.shell.clear(),
                EnvironmentList::Multiple(places) => places.iter_mut().for_each(|(_, place)| place.shell.clear()),
            }
            context
        };
        without_shell(self) == without_shell(other)
    }
}

impl ContextualUserFragment for EnvironmentContext {
    fn role(&self) -> Role {
        Role::User
    }

    fn markers() -> Markers {
        Markers::new("<environment_context>", "</environment_context>")
    }

    fn body(&self) -> String {
        let mut lines = Vec::new();
        environment_lines(&self.environments, &mut lines);
        lines.extend(self.current_date.as_deref().map(|date| element("current_date", date)));
        lines.extend(self.timezone.as_deref().map(|zone| element("timezone", zone)));
        lines.extend(self.network.as_ref().map(NetworkContext::line));
        lines.extend(self.filesystem.as_ref().map(FileSystemContext::line));
        lines.extend(self.subagents.as_deref().map(|subagents| element("subagents", subagents)));
        lines.iter().fold("\n".to_owned(), |body, line| body + "  " + line + "\n")
    }
}

fn environment_lines(environments: &EnvironmentList, lines: &mut Vec<String>) {
    match environments {
        EnvironmentList::None => {}
        EnvironmentList::Single(place) => {
            lines.push(element("cwd", &place.cwd));
            lines.push(element("shell", &place.shell));
        }
        EnvironmentList::Multiple(places) => {
            lines.push("<environments>".to_owned());
            for (id, place) in places {
                lines.push(format!("  <environment id=\"{}\">", escape(id)));
                lines.push(format!("    {}", element("cwd", &place.cwd)));
                lines.push(format!("    {}", element("shell", &place.shell)));
                lines.push("  </environment>".to_owned());
            }
            lines.push("</environments>".to_owned());
        }
    }
}

impl NetworkContext {
    /// Its line in the fragment: hosts sorted and, as in Codex, not escaped.
    pub fn line(&self) -> String {
        let hosts = |name: &str, hosts: &[String]| {
            let mut sorted: Vec<&str> = hosts.iter().map(String::as_str).collect();
            sorted.sort_unstable();
            if sorted.is_empty() { String::new() } else { format!("<{name}>{}</{name}>", sorted.join(",")) }
        };
        let allowed = hosts("allowed", &self.allowed);
        let denied = hosts("denied", &self.denied);
        format!("<network enabled=\"true\">{allowed}{denied}</network>")
    }
}

impl FileSystemContext {
    /// Its line in the fragment.
    pub fn line(&self) -> String {
        let roots: String = self.workspace_roots.iter().map(|root| element("root", root)).collect();
        let profile = match &self.profile {
            PermissionProfile::Managed { file_system, .. } => profile_element("managed", Some(file_system)),
            PermissionProfile::Disabled => profile_element("disabled", Some(&FileSystemPermissions::Unrestricted)),
            PermissionProfile::External { .. } => profile_element("external", None),
        };
        format!("<filesystem><workspace_roots>{roots}</workspace_roots>{profile}</filesystem>")
    }
}

fn profile_element(name: &str, file_system: Option<&FileSystemPermissions>) -> String {
    let file_system = match file_system {
        None => "<file_system type=\"external\" />".to_owned(),
        Some(FileSystemPermissions::Unrestricted) => "<file_system type=\"unrestricted\" />".to_owned(),
        Some(FileSystemPermissions::Restricted { entries, glob_scan_max_depth }) => {
            let entries: String = entries.iter().map(entry_element).collect();
            let depth = glob_scan_max_depth
                .map_or_else(String::new, |depth| format!(" glob_scan_max_depth=\"{depth}\""));
            format!("<file_system type=\"restricted\"{depth}>{entries}</file_system>")
        }
    };
    format!("<permission_profile type=\"{name}\">{file_system}</permission_profile>")
}

fn entry_element(entry: &FileSystemEntry) -> String {
    let place = match &entry.path {
        FileSystemPath::Path { path } => element("path", &path.to_string_lossy()),
        FileSystemPath::GlobPattern { pattern } => element("glob", pattern),
        FileSystemPath::Special { value } => element("special", &value.name()),
    };
    // What is denied cannot be asked for either.
    let escalatable = match entry.access {
        FileSystemAccess::Deny => " escalatable=\"false\"",
        FileSystemAccess::Read | FileSystemAccess::Write => "",
    };
    format!("<entry access=\"{}\"{escalatable}>{place}</entry>", entry.access.as_str())
}

impl ContextFragment for EnvironmentContext {
    const KIND: ContentKind = ContentKind::new("environments.environment_context");
    const SENT: &'static str = "With the first request; later only what changed, with date and time zone beside it.";
    const CAP: Cap = Cap::Tokens(4_000);

    fn samples() -> Vec<Self> {
        let place = EnvironmentPlace { cwd: "/repo".to_owned(), shell: "bash".to_owned() };
        let remote = EnvironmentPlace { cwd: "/srv/app".to_owned(), shell: "sh".to_owned() };
        let single = Self {
            environments: EnvironmentList::Single(place.clone()),
            current_date: Some("2026-11-30".to_owned()),
            timezone: Some("Europe/Berlin".to_owned()),
            network: Some(NetworkContext {
                allowed: vec!["example.org".to_owned()],
                denied: vec!["example.com".to_owned()],
            }),
            filesystem: Some(FileSystemContext {
                workspace_roots: vec!["/repo".to_owned()],
                profile: PermissionProfile::Disabled,
            }),
            subagents: None,
        };
        let several = Self {
            environments: EnvironmentList::Multiple(vec![("local".to_owned(), place), ("box".to_owned(), remote)]),
            ..Self::default()
        };
        vec![single, several]
    }
}
