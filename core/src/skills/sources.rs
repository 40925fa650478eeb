//! Where skills are looked for, and in which order.

use std::path::{Path, PathBuf};

use recto_protocol::TrustLevel;

use super::catalog::{SkillDiagnostic, SkillProblem, SkillScope};
use crate::environment::{FileSystem, project_root};

/// What a search for skills starts from; all paths are absolute.
#[derive(Debug, Clone, Copy)]
pub struct SkillSources<'a> {
    /// `$CODEX_HOME`.
    pub codex_home: &'a Path,
    /// The home directory of the person, whose `.agents/skills` counts too.
    pub user_home: Option<&'a Path>,
    /// Where the agent works.
    pub cwd: &'a Path,
    /// Names that make a directory the project's root.
    pub project_root_markers: &'a [String],
    /// The trust in the project.
    pub trust: Option<TrustLevel>,
    /// The skills that plugins bring.
    pub plugins: &'a [PluginSkills],
}

/// The skills that a plugin brings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PluginSkills {
    /// The plugin's name.
    pub plugin: String,
    /// The directory below which they stand.
    pub path: PathBuf,
}

/// A place to search; not every one exists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) path: PathBuf,
    pub(super) scope: SkillScope,
    pub(super) plugin: Option<String>,
}

impl SkillSources<'_> {
    /// The places in the order in which a file that is reached twice is found, one round trip for the project's root.
    ///
    /// The project's `.codex/skills` from `cwd` up, the person's own, the system's, those of plugins, and
    /// the project's `.agents/skills` from its root down: as the reference lists them.
    pub(super) async fn places(
        &self,
        file_system: &dyn FileSystem,
        diagnostics: &mut Vec<SkillDiagnostic>,
    ) -> Vec<Place> {
        let directories = self.project_directories(file_system, diagnostics).await;
        let place = |path: PathBuf, scope| Place { path, scope, plugin: None };
        let own: Vec<PathBuf> =
            [Some(self.codex_home.join("skills")), self.user_home.map(|it| it.join(AGENTS))]
                .into_iter()
                .flatten()
                .collect();
        let project = |below: &'static str| {
            let own = &own;
            move |directory: &PathBuf| {
                let path = directory.join(below);
                // A session in the home directory finds the person's own skills there.
                (!own.contains(&path)).then_some(Place {
                    path,
                    scope: SkillScope::Repo,
                    plugin: None,
                })
            }
        };
        let mut places: Vec<Place> =
            directories.iter().filter_map(project(".codex/skills")).collect();
        places.extend(own.iter().map(|path| place(path.clone(), SkillScope::User)));
        places.push(place(self.codex_home.join("skills/.system"), SkillScope::System));
        places.extend(self.plugins.iter().map(|PluginSkills { plugin, path }| Place {
            plugin: Some(plugin.clone()),
            ..place(path.clone(), SkillScope::User)
        }));
        places.extend(directories.iter().rev().filter_map(project(AGENTS)));
        places
    }

    /// The directories from `cwd` up to the project's root; none where the project is not trusted.
    async fn project_directories(
        &self,
        file_system: &dyn FileSystem,
        diagnostics: &mut Vec<SkillDiagnostic>,
    ) -> Vec<PathBuf> {
        if self.trust == Some(TrustLevel::Untrusted) {
            return Vec::new();
        }
        match project_root(file_system, self.cwd, self.project_root_markers).await {
            Ok(root) => {
                let below = |it: &&Path| it.starts_with(&root.path);
                self.cwd.ancestors().take_while(below).map(Path::to_owned).collect()
            }
            Err(error) => {
                let problem = SkillProblem::Unreadable(error);
                diagnostics.push(SkillDiagnostic { path: self.cwd.to_owned(), problem });
                Vec::new()
            }
        }
    }
}

/// Where tools of any maker keep skills.
const AGENTS: &str = ".agents/skills";
