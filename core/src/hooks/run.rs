//! Runs the hooks of one moment.

use std::path::Path;
use std::time::Duration;

use futures_util::future::join_all;
use tokio::time::timeout;

use super::answer::{HookOutcome, Wish, wish};
use super::call::{HookCall, HookContext};
use super::runner::{HookEnd, HookProcess, HookRunner};
use super::spec::HookSpec;

/// What a runner gets on top of a hook's time, to kill it and to report.
const GRACE: Duration = Duration::from_secs(2);

/// Runs all hooks that the call concerns, at once, and gives what came of them in the order of the configuration.
///
/// Ends at the latest when the longest of their times is over, whatever the runner does: a hook cannot hold a session.
pub async fn run_hooks(
    runner: &dyn HookRunner,
    hooks: &[HookSpec],
    context: &HookContext,
    call: &HookCall,
) -> Vec<HookOutcome> {
    let input = call.input(context);
    let runs =
        hooks.iter().enumerate().filter(|(_, hook)| call.concerns(hook)).map(|(at, hook)| {
            let run_id = run_id(hook, &hooks[..at]);
            run(runner, hook, run_id, &context.cwd, input.clone())
        });
    join_all(runs).await
}

async fn run(
    runner: &dyn HookRunner,
    hook: &HookSpec,
    run_id: String,
    cwd: &Path,
    input: String,
) -> HookOutcome {
    let process = HookProcess {
        command: hook.command.clone(),
        cwd: cwd.to_owned(),
        input,
        timeout: hook.timeout,
    };
    let output = timeout(hook.timeout.saturating_add(GRACE), runner.run(process)).await;
    let output = output.unwrap_or_else(|_| HookEnd::TimedOut.without_output());
    let Wish { additional_context, verdict, messages } = wish(hook.event, &output, hook.timeout);
    HookOutcome { run_id, additional_context, verdict, messages }
}

/// The event, the place among the hooks of that event in the same file, and the file.
fn run_id(hook: &HookSpec, before: &[HookSpec]) -> String {
    let is_sibling = |it: &&HookSpec| it.event == hook.event && it.source == hook.source;
    let place = before.iter().filter(is_sibling).count();
    format!("{}:{place}:{}", hook.event.slug(), hook.source.display())
}
