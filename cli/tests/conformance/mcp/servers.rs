//! The servers, and the calls that a model makes.

use std::path::{Path, PathBuf};

use recto_core::testing::FixtureDirectory;
use serde_json::{Value, json};

/// One server and what is called in it; `$ROOT` in arguments is the tree's root.
#[derive(Debug, Clone, Copy)]
pub(super) struct Server {
    pub(super) name: &'static str,
    package: &'static str,
    /// What it is started with.
    argument: &'static str,
    pub(super) calls: fn() -> Vec<(&'static str, Value)>,
}

pub(super) const SERVERS: &[Server] = &[
    Server {
        name: "filesystem",
        package: "server-filesystem",
        argument: "$ROOT/repo",
        calls: file_calls,
    },
    Server {
        name: "everything",
        package: "server-everything",
        argument: "stdio",
        calls: other_calls,
    },
];

impl Server {
    /// The program, where it is installed.
    pub(super) fn script(&self) -> Option<PathBuf> {
        let installed = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../target/mcp/node_modules/@modelcontextprotocol");
        let script = installed.join(self.package).join("dist/index.js");
        is_file(&script).then_some(script)
    }

    /// Its part of a configuration; every tool may be called.
    pub(super) fn config(&self, script: &Path, tree: &FixtureDirectory) -> String {
        format!(
            "[mcp_servers.{}]\ncommand = \"node\"\nargs = [{:?}, {:?}]\nrequired = true\n\
             startup_timeout_sec = 30\ndefault_tools_approval_mode = \"approve\"\n",
            self.name,
            script.to_string_lossy(),
            self.argument.replace("$ROOT", &tree.root().to_string_lossy())
        )
    }

    /// The calls with the tree's own paths.
    pub(super) fn calls_in(&self, tree: &FixtureDirectory) -> Vec<(&'static str, String)> {
        let root = tree.root().to_string_lossy().into_owned();
        let calls = (self.calls)().into_iter();
        calls.map(|(name, it)| (name, it.to_string().replace("$ROOT", &root))).collect()
    }
}

fn file_calls() -> Vec<(&'static str, Value)> {
    let in_repo = json!({ "path": "$ROOT/repo" });
    vec![
        ("read_text_file", json!({ "path": "$ROOT/repo/AGENTS.md" })),
        ("read_text_file", json!({ "path": "$ROOT/repo/long.txt" })),
        ("read_text_file", json!({ "path": "$ROOT/repo/missing" })),
        ("read_text_file", json!({ "path": "/etc/passwd" })),
        ("read_text_file", json!({ "path": 3 })),
        ("read_media_file", json!({ "path": "$ROOT/repo/dot.png" })),
        ("read_multiple_files", json!({ "paths": ["$ROOT/repo/AGENTS.md", "$ROOT/repo/none"] })),
        ("write_file", json!({ "path": "$ROOT/repo/new", "content": "x" })),
        ("create_directory", json!({ "path": "$ROOT/repo/d" })),
        ("list_directory", in_repo.clone()),
        ("directory_tree", in_repo),
        ("search_files", json!({ "path": "$ROOT/repo", "pattern": "*.md" })),
        ("list_allowed_directories", json!({})),
    ]
}

fn other_calls() -> Vec<(&'static str, Value)> {
    vec![
        ("echo", json!({ "message": "hello" })),
        ("echo", json!({})),
        ("get_sum", json!({ "a": 1, "b": 2.5 })),
        ("get_tiny_image", json!({})),
        ("get_annotated_message", json!({ "messageType": "error", "includeImage": true })),
        ("get_structured_content", json!({ "location": "Chicago" })),
        ("get_resource_links", json!({ "count": 2 })),
        ("trigger_long_running_operation", json!({ "duration": 0.2, "steps": 2 })),
    ]
}

#[expect(clippy::disallowed_methods, reason = "looks whether a server is installed")]
fn is_file(path: &Path) -> bool {
    path.is_file()
}
