//! How AGENTS.md files are looked for.

/// How AGENTS.md files are looked for and how much of them is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentsMdConfig {
    /// Bytes that all project docs of one environment may have together; 0 turns project docs off.
    pub project_doc_max_bytes: u64,
    /// Names tried after `AGENTS.override.md` and `AGENTS.md`; no blanks, no repeats, no path separators.
    pub project_doc_fallback_filenames: Vec<String>,
    /// Names that make a directory the root; empty means that only the working directory counts.
    pub project_root_markers: Vec<String>,
}

impl Default for AgentsMdConfig {
    fn default() -> Self {
        Self {
            project_doc_max_bytes: 32 * 1024,
            project_doc_fallback_filenames: Vec::new(),
            project_root_markers: vec![".git".to_owned()],
        }
    }
}
