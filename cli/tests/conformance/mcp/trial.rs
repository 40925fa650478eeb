//! Each server as a test.

#![expect(clippy::disallowed_methods, reason = "the tree is ours")]

use std::path::Path;

use libtest_mimic::{Failed, Trial};
use recto_core::testing::Fixture;

use super::ours::ours;
use super::servers::{SERVERS, Server};
use super::theirs::theirs;
use crate::programs::{PARENT, Programs};

const TREE: &str = "
    //- user/
    //- home/
    //- repo/.git/HEAD = \"ref: refs/heads/main\"
    //- repo/AGENTS.md
    ROOT
    //- cwd: repo
";

/// A picture of one dot.
const DOT: &[u8] = &[
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52,
    0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x06, 0x00, 0x00, 0x00, 0x1f, 0x15, 0xc4,
    0x89, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x44, 0x41, 0x54, 0x78, 0xda, 0x63, 0x64, 0xf8, 0xcf, 0x50,
    0x0f, 0x00, 0x03, 0x86, 0x01, 0x80, 0x5a, 0x34, 0x7d, 0x6b, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45,
    0x4e, 0x44, 0xae, 0x42, 0x60, 0x82,
];

/// Whether all servers are there.
pub(crate) fn are_installed() -> bool {
    SERVERS.iter().all(|it| it.script().is_some())
}

/// The trials; they are skipped where the reference or the servers are not installed.
pub(crate) fn trials(programs: Option<&Programs>) -> Vec<Trial> {
    let of_server = |server: &'static Server| {
        let programs = programs.cloned();
        let is_ignored = programs.is_none() || server.script().is_none();
        let run = move || programs.map_or(Ok(()), |programs| hold(&programs, server));
        Trial::test(format!("mcp_server::{}", server.name), run).with_ignored_flag(is_ignored)
    };
    SERVERS.iter().map(of_server).collect()
}

fn hold(programs: &Programs, server: &Server) -> Result<(), Failed> {
    let script = server.script().ok_or("the server is installed")?;
    let tree = Fixture::parse(TREE).lay_out_in(Path::new(PARENT));
    std::fs::write(tree.path("repo/dot.png"), DOT)?;
    std::fs::write(tree.path("repo/long.txt"), "a line of it\n".repeat(500))?;
    let calls = server.calls_in(&tree);
    let config = server.config(&script, &tree);
    let expected = theirs(programs, &tree, server.name, &config, &calls)?.readable();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let actual = runtime.block_on(ours(&tree, server.name, &calls))?.readable();
    if expected == actual {
        return Ok(());
    }
    let diff = pretty_assertions::StrComparison::new(&expected, &actual);
    Err(format!("reference (<) and recto (>):\n{diff}").into())
}
