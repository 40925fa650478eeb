//! The tools of a session: those of its handler, and those that the host gave the thread.

use std::collections::HashSet;

use recto_protocol::DynamicTools;
use serde_json::value::RawValue;

use super::event::SessionEvent;
use super::session::Session;
use crate::tools::{ToolDefinition, dynamic_definitions};

impl Session {
    /// Tools sorted by name and then by their text, so that the same tools are the same bytes in every request.
    ///
    /// Where the handler and the host have a tool of one name, the handler's is told, as in the reference.
    pub(super) fn tool_definitions(&self) -> Vec<Box<RawValue>> {
        let mut definitions = self.services.tools.definitions();
        let (told, _) = self.dynamic_definitions(&definitions);
        definitions.extend(told);
        definitions.sort_by(|one, other| {
            (&one.name, one.json.get()).cmp(&(&other.name, other.json.get()))
        });
        definitions.into_iter().map(|definition| definition.json).collect()
    }

    /// Tells which of the host's tools the model will not see.
    pub(super) fn tell_hidden_tools(&self) {
        let (_, hidden) = self.dynamic_definitions(&self.services.tools.definitions());
        for tool in hidden {
            self.tell(SessionEvent::Notice(format!(
                "the host's tool `{}` is left out: there is another one of that name",
                tool.name
            )));
        }
    }

    /// The host's tools that are told, and those that another tool's name hides.
    fn dynamic_definitions(
        &self,
        own: &[ToolDefinition],
    ) -> (Vec<ToolDefinition>, Vec<ToolDefinition>) {
        let names: HashSet<&str> = own.iter().map(|it| it.name.as_str()).collect();
        dynamic_definitions(self.dynamic_tools())
            .into_iter()
            .partition(|tool| !names.contains(tool.name.as_str()))
    }

    fn dynamic_tools(&self) -> &DynamicTools {
        let today = &self.surroundings.settings.dynamic_tools;
        if today.is_empty() { &self.state.dynamic_tools } else { today }
    }
}
