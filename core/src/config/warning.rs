//! What a person should know about a configuration that can be used.

use std::fmt;
use std::path::PathBuf;

use recto_protocol::TrustLevel;

use super::error::ConfigError;
use super::hook_matcher::MatcherError;
use super::location::Location;

/// Something in a configuration that has no effect, or not the one that it seems to have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConfigWarning {
    /// A key that nobody reads.
    UnknownKey {
        /// Where it stands.
        location: Location,
        /// The key, as a dotted path.
        key: String,
        /// The key that was meant, perhaps.
        suggestion: Option<String>,
    },
    /// A key that is read, but not from this table.
    WrongTable {
        /// Where it stands.
        location: Location,
        /// The key.
        key: String,
        /// The table that it stands in; empty for the top level.
        table: String,
        /// Where it belongs, as a phrase: `at the top level`.
        belongs: String,
    },
    /// A key that a project's own file may not set; it was left out.
    ProjectMayNotSet {
        /// Where it stands.
        location: Location,
        /// The key.
        key: String,
    },
    /// A project's file trusts what the person does not; the person's word stands.
    ProjectRaisesTrust {
        /// Where the project says so.
        location: Location,
        /// The path that it wants trusted.
        key: PathBuf,
    },
    /// A project's file that is not read because the project is not trusted.
    ProjectConfigIgnored {
        /// The file.
        path: PathBuf,
        /// What was decided about its directory.
        trust: Option<TrustLevel>,
        /// The path to trust, so that the file is read.
        project: PathBuf,
    },
    /// A key of `projects` that can match no directory.
    UnmatchableProject {
        /// Where it stands.
        location: Location,
        /// The key.
        key: String,
    },
    /// A `-c` with quotes in its key; they mean nothing there, so that it matches no key.
    QuotedOverride {
        /// The argument.
        location: Location,
        /// What to write behind `-c` in its place.
        instead: String,
    },
    /// The person's `hooks.json` is there and cannot be used; none of its hooks run.
    HooksFileNotRead {
        /// What is wrong, and where.
        error: ConfigError,
    },
    /// A matcher that cannot be understood; the hooks that stand with it are not run.
    HooksWithoutMatcher {
        /// Where it stands.
        location: Location,
        /// The key, as a dotted path.
        key: String,
        /// What is wrong with it.
        error: MatcherError,
    },
    /// A project's `.codex/hooks.json`, which nobody reads.
    ProjectHooksNotRead {
        /// The file.
        path: PathBuf,
    },
    /// A fallback name that holds a path separator; it is left out.
    FallbackWithSeparator {
        /// Where it stands.
        location: Location,
        /// The name.
        name: String,
    },
    /// A fallback name that stands in the list twice.
    RepeatedFallback {
        /// Where it stands again.
        location: Location,
        /// The name.
        name: String,
    },
    /// Something that Codex reads and that changes what the model sees, but that is not read here.
    NotRead {
        /// Where it stands.
        location: Location,
        /// The key.
        key: String,
        /// Why, as a phrase.
        reason: &'static str,
    },
    /// There is more of this than anybody reads.
    More {
        /// How many warnings were left out.
        count: usize,
    },
}

impl ConfigWarning {
    /// The place that it is about; none where it is about a whole file.
    pub const fn location(&self) -> Option<&Location> {
        match self {
            Self::UnknownKey { location, .. }
            | Self::WrongTable { location, .. }
            | Self::ProjectMayNotSet { location, .. }
            | Self::ProjectRaisesTrust { location, .. }
            | Self::UnmatchableProject { location, .. }
            | Self::QuotedOverride { location, .. }
            | Self::FallbackWithSeparator { location, .. }
            | Self::RepeatedFallback { location, .. }
            | Self::HooksWithoutMatcher { location, .. }
            | Self::NotRead { location, .. } => Some(location),
            Self::HooksFileNotRead { error } => error.location(),
            Self::ProjectConfigIgnored { .. }
            | Self::ProjectHooksNotRead { .. }
            | Self::More { .. } => None,
        }
    }
}

/// Collects warnings, no more than anybody reads.
#[derive(Debug, Default)]
pub(super) struct Warnings {
    told: Vec<ConfigWarning>,
    more: usize,
}

/// Warnings that are told one by one; each of them costs a look through its file.
const MOST_TOLD: usize = 100;

impl Warnings {
    /// Adds one; it is made only where it will be told.
    pub(super) fn push(&mut self, warning: impl FnOnce() -> ConfigWarning) {
        if self.told.len() < MOST_TOLD {
            self.told.push(warning());
        } else {
            self.more += 1;
        }
    }

    /// Adds those that somebody else collected.
    pub(super) fn append(&mut self, other: Self) {
        for warning in other.told {
            self.push(|| warning);
        }
        self.more += other.more;
    }

    /// How many were added.
    pub(super) const fn count(&self) -> usize {
        self.told.len() + self.more
    }

    /// By layer, the lowest first, and by place; what is about a whole file comes last.
    pub(super) fn into_sorted(mut self) -> Vec<ConfigWarning> {
        self.told.sort_by_key(|warning| {
            warning.location().map_or((u8::MAX, 0, 0, 0), |it| {
                (it.source.height(), it.source.project_depth(), it.line, it.column)
            })
        });
        if self.more > 0 {
            self.told.push(ConfigWarning::More { count: self.more });
        }
        self.told
    }
}

impl fmt::Display for ConfigWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownKey { location, key, suggestion: Some(suggestion) } => {
                write!(f, "{location}: unknown key `{key}`; did you mean `{suggestion}`?")
            }
            Self::UnknownKey { location, key, suggestion: None } => {
                write!(f, "{location}: unknown key `{key}`")
            }
            Self::WrongTable { location, key, table, belongs } if table.is_empty() => {
                write!(f, "{location}: `{key}` stands at the top level; it belongs {belongs}")
            }
            Self::WrongTable { location, key, table, belongs } => {
                write!(f, "{location}: `{key}` stands in [{table}]; it belongs {belongs}")
            }
            Self::ProjectMayNotSet { location, key } => {
                write!(
                    f,
                    "{location}: a project's own configuration may not set `{key}`; it is ignored"
                )
            }
            Self::ProjectRaisesTrust { location, key } => write!(
                f,
                "{location}: a project's own configuration may not trust {}, which is marked untrusted",
                key.display()
            ),
            Self::ProjectConfigIgnored { path, trust: Some(_), project } => {
                write!(
                    f,
                    "{}: not read, because {} is marked untrusted",
                    path.display(),
                    project.display()
                )
            }
            Self::ProjectConfigIgnored { path, trust: None, project } => {
                write!(
                    f,
                    "{}: not read, because {} is not marked trusted",
                    path.display(),
                    project.display()
                )
            }
            Self::UnmatchableProject { location, key } => write!(
                f,
                "{location}: the project {key:?} matches no directory; a key is an absolute path without `.`, `..`, \
                 `~` or a slash at its end"
            ),
            Self::QuotedOverride { location, instead } => {
                let instead = instead.replace('\'', r"'\''");
                write!(
                    f,
                    "{location}: quotes mean nothing in the key, so it matches nothing; write -c '{instead}'"
                )
            }
            Self::FallbackWithSeparator { location, name } => {
                write!(
                    f,
                    "{location}: the fallback name {name:?} holds a path separator; it is ignored"
                )
            }
            Self::RepeatedFallback { location, name } => {
                write!(f, "{location}: the fallback name {name:?} stands in the list twice")
            }
            Self::HooksFileNotRead { error } => write!(f, "{error}; no hook of this file is run"),
            Self::HooksWithoutMatcher { location, key, error } => {
                write!(
                    f,
                    "{location}: `{key}` cannot be understood: {error}; its hooks are not run"
                )
            }
            Self::ProjectHooksNotRead { path } => {
                write!(f, "{}: not read, because a project brings no hooks", path.display())
            }
            Self::NotRead { location, key, reason } => {
                write!(f, "{location}: `{key}` is not read: {reason}")
            }
            Self::More { count } => write!(f, "and {count} more warnings about the configuration"),
        }
    }
}
