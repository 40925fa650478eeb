//! Who a server speaks to.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rmcp::ClientHandler;
use rmcp::model::{ClientCapabilities, ClientConfig, Implementation, ProtocolVersion};
use rmcp::service::{NotificationContext, RoleClient};

use super::event::{McpEvent, Teller};

/// Our side of a connection.
///
/// Nothing can be asked of it: it names no abilities, and the SDK answers questions to the person, samplings and lists
/// of roots with a refusal or with nothing.
#[derive(Debug)]
pub(super) struct Client {
    pub(super) server: String,
    pub(super) teller: Teller,
    /// Whether another list of tools is worth telling: once, and only after the first was read.
    pub(super) is_list_final: Arc<AtomicBool>,
}

impl ClientHandler for Client {
    fn get_info(&self) -> ClientConfig {
        let us = Implementation::new("recto", env!("CARGO_PKG_VERSION"));
        // The version that the reference speaks.
        ClientConfig::new(ClientCapabilities::default(), us)
            .with_protocol_version(ProtocolVersion::V_2025_06_18)
    }

    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        if self.is_list_final.swap(false, Ordering::Relaxed) {
            self.teller.tell(McpEvent::ListChanged { server: self.server.clone() });
        }
    }
}
