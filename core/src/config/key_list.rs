//! The one list of all keys.

use super::instructions::Personality;
use super::key::{KnownKey, OtherKey, OtherShape, ProjectRule, ValueKind};
use super::words::{MCP_APPROVALS, SANDBOX_MODES, TRUST_LEVELS};

const fn may(path: &'static str, kind: ValueKind, summary: &'static str) -> KnownKey {
    KnownKey { path, kind, project: ProjectRule::May, summary }
}

const fn may_not(path: &'static str, kind: ValueKind, summary: &'static str) -> KnownKey {
    KnownKey { path, kind, project: ProjectRule::MayNot, summary }
}

/// Every key that recto reads, concern by concern.
pub const KNOWN_KEYS: &[KnownKey] = &[
    may(
        "project_doc_max_bytes",
        ValueKind::WholeNumber,
        "Bytes of all project docs together; 0 turns them off.",
    ),
    may(
        "project_doc_fallback_filenames",
        ValueKind::TextList,
        "File names tried where a directory has no AGENTS.md.",
    ),
    may_not(
        "project_root_markers",
        ValueKind::TextList,
        "Names that make a directory the project's root.",
    ),
    may(
        "projects.*.trust_level",
        ValueKind::OneOf(TRUST_LEVELS),
        "Whether the project at this path is trusted.",
    ),
    may_not(
        "environments.*.command",
        ValueKind::TextList,
        "What speaks SFTP on its standard streams: a program and its arguments.",
    ),
    may_not("environments.*.cwd", ValueKind::Text, "The directory there; absolute."),
    may_not("environments.*.shell", ValueKind::Text, "The name of the shell there."),
    may_not(
        "environments.*.startup_timeout_sec",
        ValueKind::WholeNumber,
        "Seconds until the environment must be ready; 10 where nothing is said.",
    ),
    may("model", ValueKind::Text, "The model's name on the wire."),
    may_not("model_provider", ValueKind::Text, "The provider that is asked, by its id."),
    may(
        "model_context_window",
        ValueKind::WholeNumber,
        "Tokens that fit into one request with its answer.",
    ),
    may(
        "model_auto_compact_token_limit",
        ValueKind::WholeNumber,
        "Tokens from which the history is compacted.",
    ),
    may(
        "model_reasoning_effort",
        ValueKind::Text,
        "How hard the model thinks, in a word that it knows.",
    ),
    may(
        "model_reasoning_summary",
        ValueKind::OneOf(&["auto", "concise", "detailed", "none"]),
        "How much of its thoughts the model tells.",
    ),
    may(
        "model_verbosity",
        ValueKind::OneOf(&["low", "medium", "high"]),
        "How much the model writes, where it can be told.",
    ),
    may(
        "model_catalog_json",
        ValueKind::Path,
        "A file that describes models; it goes before what is known of them.",
    ),
    may_not("openai_base_url", ValueKind::Text, "Where the provider `openai` is reached."),
    may_not("model_providers.*.name", ValueKind::Text, "The provider's name for people."),
    may_not("model_providers.*.base_url", ValueKind::Text, "Where the provider is reached."),
    may_not(
        "model_providers.*.env_key",
        ValueKind::Text,
        "The variable that holds the provider's key.",
    ),
    may_not(
        "model_providers.*.env_key_instructions",
        ValueKind::Text,
        "What people are told about getting that key.",
    ),
    may_not(
        "model_providers.*.experimental_bearer_token",
        ValueKind::Text,
        "The provider's key itself; `env_key` wins.",
    ),
    may_not(
        "model_providers.*.env_http_headers",
        ValueKind::TextMap,
        "Headers sent with every request, by the variable that holds the value.",
    ),
    may_not(
        "model_providers.*.http_headers",
        ValueKind::TextMap,
        "Headers sent with every request.",
    ),
    may_not(
        "model_providers.*.query_params",
        ValueKind::TextMap,
        "Query parameters sent with every request.",
    ),
    may_not(
        "model_providers.*.wire_api",
        ValueKind::OneOf(&["responses"]),
        "The protocol that the provider speaks.",
    ),
    may_not(
        "model_providers.*.request_max_retries",
        ValueKind::WholeNumber,
        "How often a request is tried again.",
    ),
    may_not(
        "model_providers.*.stream_max_retries",
        ValueKind::WholeNumber,
        "How often a stream is tried again.",
    ),
    may_not(
        "model_providers.*.stream_idle_timeout_ms",
        ValueKind::WholeNumber,
        "How long a stream may say nothing.",
    ),
    may("instructions", ValueKind::Text, "Base instructions in place of the model's own."),
    may(
        "model_instructions_file",
        ValueKind::Path,
        "A file with base instructions; it wins over `instructions`.",
    ),
    may(
        "developer_instructions",
        ValueKind::Text,
        "A developer message at the start of the first request.",
    ),
    may(
        "personality",
        ValueKind::OneOf(Personality::NAMES),
        "The tone in which the model answers.",
    ),
    may(
        "include_permissions_instructions",
        ValueKind::Boolean,
        "Whether the model is told what it may do.",
    ),
    may(
        "include_environment_context",
        ValueKind::Boolean,
        "Whether the model is told where it works.",
    ),
    may(
        "include_environment_context_time",
        ValueKind::Boolean,
        "Whether that tells the date and the time zone.",
    ),
    may(
        "skills.include_instructions",
        ValueKind::Boolean,
        "Whether the model is told which skills there are.",
    ),
    may("sandbox_mode", ValueKind::OneOf(SANDBOX_MODES), "How commands are confined."),
    may(
        "sandbox_workspace_write.writable_roots",
        ValueKind::PathList,
        "More directories that may be written.",
    ),
    may(
        "sandbox_workspace_write.network_access",
        ValueKind::Boolean,
        "Whether commands may use the network.",
    ),
    may(
        "sandbox_workspace_write.exclude_tmpdir_env_var",
        ValueKind::Boolean,
        "Keeps `$TMPDIR` from being written.",
    ),
    may(
        "sandbox_workspace_write.exclude_slash_tmp",
        ValueKind::Boolean,
        "Keeps `/tmp` from being written.",
    ),
    may(
        "default_permissions",
        ValueKind::Text,
        "The permission profile: a built-in one, or one of `permissions`.",
    ),
    may("permissions.*.extends", ValueKind::Text, "The profile that this one starts from."),
    may("permissions.*.description", ValueKind::Text, "The profile in words, for people."),
    may(
        "permissions.*.filesystem.glob_scan_max_depth",
        ValueKind::WholeNumber,
        "How deep files are looked for that patterns name.",
    ),
    may(
        "permissions.*.filesystem.*",
        ValueKind::FileAccess,
        "What may be done at a place, or at places below it.",
    ),
    may(
        "permissions.*.workspace_roots.*",
        ValueKind::Boolean,
        "Whether `:workspace_roots` means this directory too.",
    ),
    may(
        "permissions.*.network.enabled",
        ValueKind::Boolean,
        "Whether commands may use the network.",
    ),
    may("approval_policy", ValueKind::Approval, "When the person is asked before a command runs."),
    may("mcp_servers.*.command", ValueKind::Text, "The program that serves tools."),
    may("mcp_servers.*.args", ValueKind::TextList, "Its arguments."),
    may("mcp_servers.*.env", ValueKind::TextMap, "Variables that it gets."),
    may(
        "mcp_servers.*.env_vars",
        ValueKind::VariableList,
        "Variables that it gets from the environment.",
    ),
    may("mcp_servers.*.cwd", ValueKind::Text, "The directory that it runs in."),
    may("mcp_servers.*.url", ValueKind::Text, "Where a server behind HTTP is reached."),
    may(
        "mcp_servers.*.bearer_token_env_var",
        ValueKind::Text,
        "The variable that holds its token.",
    ),
    may("mcp_servers.*.http_headers", ValueKind::TextMap, "Headers sent to it."),
    may("mcp_servers.*.env_http_headers", ValueKind::TextMap, "Headers sent to it, by variables."),
    may("mcp_servers.*.startup_timeout_sec", ValueKind::Seconds, "How long it may take to start."),
    may("mcp_servers.*.startup_timeout_ms", ValueKind::WholeNumber, "The same in milliseconds."),
    may("mcp_servers.*.tool_timeout_sec", ValueKind::Seconds, "How long a call may take."),
    may("mcp_servers.*.enabled", ValueKind::Boolean, "Whether it is used."),
    may("mcp_servers.*.required", ValueKind::Boolean, "Whether there is no session without it."),
    may("mcp_servers.*.enabled_tools", ValueKind::TextList, "The only tools that are used."),
    may("mcp_servers.*.disabled_tools", ValueKind::TextList, "Tools that are not used."),
    may(
        "mcp_servers.*.supports_parallel_tool_calls",
        ValueKind::Boolean,
        "Whether calls that write run side by side.",
    ),
    may(
        "mcp_servers.*.default_tools_approval_mode",
        ValueKind::OneOf(MCP_APPROVALS),
        "When a call has to be allowed.",
    ),
    may(
        "mcp_servers.*.tools.*.approval_mode",
        ValueKind::OneOf(MCP_APPROVALS),
        "When a call of this tool has to be allowed.",
    ),
    may_not("profile", ValueKind::Text, "Refused: profiles are no longer chosen by this key."),
    may("features.*", ValueKind::Feature, "Turns a feature on or off."),
    may_not("hooks.SessionStart", ValueKind::Hooks, "Commands run when a session starts."),
    may_not("hooks.UserPromptSubmit", ValueKind::Hooks, "Commands run before a prompt is sent."),
    may_not("hooks.Stop", ValueKind::Hooks, "Commands run when the model has nothing more to do."),
];

const fn value(path: &'static str) -> OtherKey {
    OtherKey { path, shape: OtherShape::Value }
}

const fn closed(path: &'static str) -> OtherKey {
    OtherKey { path, shape: OtherShape::Closed }
}

const fn open(path: &'static str) -> OtherKey {
    OtherKey { path, shape: OtherShape::Open }
}

/// Keys that Codex reads and recto does not, found by asking Codex 0.171 name by name.
pub const OTHER_KEYS: &[OtherKey] = &[
    open("agents"),
    value("allow_login_shell"),
    closed("analytics"),
    value("approvals_reviewer"),
    open("apps"),
    value("apps_mcp_product_sku"),
    closed("audio"),
    closed("auto_review"),
    value("background_terminal_max_timeout"),
    closed("browser_use"),
    value("chatgpt_base_url"),
    value("check_for_update_on_startup"),
    value("cli_auth_credentials_store"),
    value("client_search_provider"),
    closed("cloud"),
    closed("code_mode"),
    value("compact_prompt"),
    closed("computer_use"),
    open("desktop"),
    value("disable_paste_burst"),
    value("experimental_compact_prompt_file"),
    value("experimental_realtime_start_instructions"),
    value("experimental_realtime_webrtc_call_base_url"),
    value("experimental_realtime_ws_backend_prompt"),
    value("experimental_realtime_ws_base_url"),
    value("experimental_realtime_ws_model"),
    value("experimental_realtime_ws_startup_context"),
    open("experimental_thread_store"),
    value("experimental_thread_store_endpoint"),
    value("experimental_use_unified_exec_tool"),
    closed("feedback"),
    value("file_opener"),
    value("forced_chatgpt_workspace_id"),
    value("forced_login_method"),
    closed("ghost_snapshot"),
    value("hide_agent_reasoning"),
    closed("history"),
    value("hooks.PermissionRequest"),
    value("hooks.PostCompact"),
    value("hooks.PostToolUse"),
    value("hooks.PreCompact"),
    value("hooks.PreToolUse"),
    value("hooks.SessionEnd"),
    value("hooks.SubagentStart"),
    value("hooks.SubagentStop"),
    open("hooks.state"),
    value("include_apps_instructions"),
    value("include_collaboration_mode_instructions"),
    value("js_repl_node_module_dirs"),
    value("js_repl_node_path"),
    value("log_dir"),
    closed("marketplaces.*"),
    value("mcp_oauth_callback_port"),
    value("mcp_oauth_callback_url"),
    value("mcp_oauth_credentials_store"),
    value("mcp_servers.*.auth"),
    value("mcp_servers.*.environment_id"),
    value("mcp_servers.*.http_headers_helper"),
    value("mcp_servers.*.name"),
    open("mcp_servers.*.oauth"),
    value("mcp_servers.*.oauth_resource"),
    value("mcp_servers.*.scopes"),
    closed("memories"),
    value("model_auto_compact_token_limit_scope"),
    closed("notice"),
    value("notify"),
    closed("orchestrator"),
    value("oss_provider"),
    closed("otel"),
    value("permissions.*.network.allow_local_binding"),
    value("permissions.*.network.allow_upstream_proxy"),
    value("permissions.*.network.dangerously_allow_all_unix_sockets"),
    value("permissions.*.network.dangerously_allow_non_loopback_proxy"),
    open("permissions.*.network.domains"),
    value("permissions.*.network.enable_socks5"),
    value("permissions.*.network.enable_socks5_udp"),
    open("permissions.*.network.mitm"),
    value("permissions.*.network.mode"),
    value("permissions.*.network.proxy_url"),
    value("permissions.*.network.socks_url"),
    open("permissions.*.network.unix_sockets"),
    value("plan_mode_reasoning_effort"),
    open("plugins"),
    open("profiles"),
    closed("realtime"),
    value("review_model"),
    value("service_tier"),
    closed("shell_environment_policy"),
    value("show_raw_agent_reasoning"),
    closed("skills.bundled"),
    value("skills.config"),
    value("sqlite_home"),
    value("suppress_unstable_features_warning"),
    value("tool_output_token_limit"),
    closed("tool_suggest"),
    closed("tools"),
    closed("tui"),
    value("web_search"),
    closed("windows"),
    open("model_providers.*.auth"),
    open("model_providers.*.aws"),
    value("model_providers.*.requires_openai_auth"),
    value("model_providers.*.supports_websockets"),
    value("model_providers.*.websocket_connect_timeout_ms"),
];
