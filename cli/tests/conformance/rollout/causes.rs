//! `recto rollout why` beside what the reference did: each cause where it alone holds.

use std::path::PathBuf;

use libtest_mimic::Failed;
use serde_json::{Value, json};

use super::app_server::AppServer;
use super::scene::Scene;
use super::steps::{told_in, write};
use crate::support::Answer;

/// A scene with its project's file.
struct Tree<'a> {
    scene: &'a Scene,
    file: PathBuf,
}

impl Tree<'_> {
    fn edit(&self, text: &str) {
        write(&self.file, text);
    }

    /// What `why` says about the last session, and nothing else.
    fn expect(&self, cause: &str, words: &[&str]) -> Result<(), Failed> {
        let output =
            self.scene.recto("home", &[&["rollout", "why", "--last", "--json"], words].concat());
        let document: Value = serde_json::from_slice(&output.stdout)
            .map_err(|_| String::from_utf8_lossy(&output.stderr).into_owned())?;
        let is_fine = output.status.success();
        if document["cause"] != cause || is_fine != (cause == "equal") {
            return Err(format!("{cause} was to come: {document:#}").into());
        }
        Ok(())
    }
}

/// The reference's next request tells what `why` says that the model does not know.
pub(super) fn each_cause_is_named_where_it_alone_holds(scene: &Scene) -> Result<(), Failed> {
    let tree = Tree { scene, file: scene.tree.path("repo/AGENTS.md") };
    scene.reference("home", &["one"])?;
    tree.expect("equal", &[])?;
    // A file beside the chain of the directory that was used.
    std::fs::create_dir_all(scene.tree.path("repo/sub"))?;
    write(&scene.tree.path("repo/sub/AGENTS.md"), "SUB\n");
    tree.expect("not_on_chain", &["--path", "sub/AGENTS.md"])?;
    // Nothing runs: the session goes by its record until its next turn.
    tree.edit("SECOND\n");
    tree.expect("goes_by_record", &[])?;
    let told = scene.reference("home", &["resume", "--last", "two"])?.remove(0);
    told_in(&told, "SECOND", 1)?;
    tree.expect("equal", &[])?;
    // The model's own call edits it, behind the step that loaded it.
    let edit = format!("printf 'THIRD\\n' > {}", tree.file.display());
    scene.server.then(Answer::of([json!({
        "type": "function_call", "id": "fc_1", "name": "exec_command", "call_id": "call_1",
        "arguments": json!({"cmd": edit}).to_string(),
    })]));
    for request in scene.reference("home", &["resume", "--last", "three"])? {
        told_in(&request, "\nTHIRD\n", 0)?;
    }
    tree.expect("never_reached_step", &[])?;
    Ok(())
}

/// A program that runs on does not load the files of a selection again.
pub(super) fn what_was_loaded_serves_again_in_a_program_that_runs_on(
    scene: &Scene,
) -> Result<(), Failed> {
    let tree = Tree { scene, file: scene.tree.path("repo/AGENTS.md") };
    let mut server = AppServer::start(scene.reference_command("home"))?;
    server.turn("one")?;
    tree.edit("SECOND\n");
    server.turn("two")?;
    for (_, body) in scene.server.take_requests() {
        told_in(&super::scene::input(&body), "SECOND", 0)?;
    }
    tree.expect("same_selection", &[])
}
