//! The words that stand for a choice.

/// The words of `approval_policy`.
pub(super) const APPROVAL_POLICIES: &[&str] = &["on-request", "on-failure", "never"];

/// The words for what may be done at a place; `none` is another word for `deny`.
pub(super) const FILE_ACCESSES: &[&str] = &["read", "write", "deny", "none"];

/// The words of `default_tools_approval_mode` and `approval_mode`.
pub(super) const MCP_APPROVALS: &[&str] = &["auto", "prompt", "writes", "approve"];

/// The words of `sandbox_mode`.
pub(super) const SANDBOX_MODES: &[&str] = &["read-only", "workspace-write", "danger-full-access"];

/// The words of `trust_level`.
pub(super) const TRUST_LEVELS: &[&str] = &["trusted", "untrusted"];
