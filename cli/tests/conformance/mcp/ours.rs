//! What we make of a server.

use libtest_mimic::Failed;
use recto_core::config::{ConfigSources, load};
use recto_core::environment::LocalFileSystem;
use recto_core::testing::FixtureDirectory;
use recto_core::tools::mcp::{McpOptions, McpTools, ToolShape};
use recto_core::tools::{ToolHandler, tool_call};
use recto_protocol::Item;
use serde_json::{Value, json};
use tokio::sync::mpsc::unbounded_channel;

use super::compared::Compared;
use super::theirs::path;

/// Tokens that the reference keeps of an output for a model that it does not know.
const OUTPUT_TOKENS: usize = 100_000;

/// Makes the same calls one after the other, with the same configuration.
pub(super) async fn ours(
    tree: &FixtureDirectory,
    server: &str,
    calls: &[(&str, String)],
) -> Result<Compared, Failed> {
    let cwd = tree.cwd();
    let sources = ConfigSources {
        file_system: &LocalFileSystem,
        codex_home: &tree.path("home"),
        system_config: None,
        home: Some(&tree.path("user")),
        cwd: &cwd,
        overrides: &[],
        assumed_trust: None,
    };
    let config = load(&sources).await.map_err(|error| error.to_string())?;
    let mut options = McpOptions::new(cwd.clone());
    options.variables.insert("PATH".to_owned(), path());
    options.shape = ToolShape::Namespaces;
    options.output_tokens = OUTPUT_TOKENS;
    let (sender, _events) = unbounded_channel();
    let tools = McpTools::start(&config.mcp_servers, options, sender);
    tools.ready().await.map_err(|error| error.to_string())?;
    let definitions = tools.definitions();
    let parse = |json: &str| serde_json::from_str(json).unwrap_or_default();
    let definitions: Vec<Value> = definitions.iter().map(|it| parse(it.json.get())).collect();
    let mut outputs = Vec::new();
    for (name, arguments) in calls {
        let item = json!({
            "type": "function_call", "call_id": "c", "namespace": format!("mcp__{server}"), "name": name,
            "arguments": arguments,
        });
        let item = Item::from_json(&item.to_string()).map_err(|error| error.to_string())?;
        let call = tool_call(&item.decoded()).ok_or("it is a call")?;
        outputs.push(serde_json::to_value(tools.call(&call).await)?);
    }
    tools.shutdown().await;
    Ok(Compared { tools: definitions, outputs })
}
