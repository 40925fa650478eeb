//! Tells the person which environments are not there.

use super::event::SessionEvent;
use super::session::Session;
use super::step::StepContext;

impl Session {
    /// Tells of each environment that did not come up or went away, once; the thread goes on without it.
    pub(super) fn tell_lost_environments(&mut self, step: &StepContext) {
        for failure in &step.environments.failed {
            if self.told_failures.contains(failure) {
                continue;
            }
            let id = &failure.selection.environment_id;
            let notice = format!("the environment `{id}` is not used: {}", failure.reason);
            self.tell(SessionEvent::Notice(notice));
            self.told_failures.push(failure.clone());
        }
    }
}
