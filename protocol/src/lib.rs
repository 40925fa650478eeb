//! Plain data that the whole engine speaks: items, prompts, permissions, models and the Responses wire.
//!
//! Nothing here does IO, renders text for a model or knows an async runtime. A type that arrives as JSON keeps the
//! JSON it arrived as ([`Item`]), so that what this program does not understand goes through it unchanged.

mod content;
mod dynamic_tools;
mod id;
mod issued_id;
mod item;
mod json_text;
mod model;
mod output_schema;
mod permissions;
mod prompt;
mod response_item;
pub mod responses;
mod role;
pub mod rollout;
pub mod shared_list;
mod text_message;
mod usage;
mod wire_text;

pub use content::{ContentItem, ImageDetail, OutputPayload};
pub use dynamic_tools::{DynamicTool, DynamicToolError, DynamicToolSpec, DynamicTools};
pub use id::{ThreadId, TurnId};
pub use item::{ContentKind, Item, ItemError};
pub use model::{AnswerStyle, InputModality, ModelInfo, ReasoningSummary, Verbosity, WireKind};
pub use output_schema::OutputSchema;
pub use permissions::{
    ApprovalPolicy, FileSystemAccess, FileSystemEntry, FileSystemPath, FileSystemPermissions,
    GranularApproval, NetworkPermissions, PermissionProfile, SandboxMode, SpecialPath, TrustLevel,
};
pub use prompt::{BaseInstructions, BaseInstructionsSource, Prompt};
pub use response_item::{
    AdditionalTools, Compaction, CustomToolCall, CustomToolCallOutput, FunctionCall,
    FunctionCallOutput, ImageGenerationCall, LocalShellCall, Message, NamedOutput, OtherItem,
    Reasoning, ResponseItem, ToolSearchCall, ToolSearchOutput, WebSearchCall,
};
pub use role::{Role, UnknownRole};
pub use shared_list::SharedList;
pub use text_message::{TextMessage, TextSize};
pub use usage::TokenUsage;
