//! Tools that a host gives to one thread, as it names them and as records hold them.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// A function that the host runs.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DynamicTool {
    /// Its name: ASCII letters, digits, `_` and `-`.
    pub name: String,
    /// What it does, for the model.
    pub description: String,
    /// A JSON schema of its arguments.
    pub input_schema: Box<RawValue>,
}

impl PartialEq for DynamicTool {
    fn eq(&self, other: &Self) -> bool {
        (&self.name, &self.description, self.input_schema.get())
            == (&other.name, &other.description, other.input_schema.get())
    }
}

impl Eq for DynamicTool {}

/// One entry of a thread's list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum DynamicToolSpec {
    /// A function.
    Function(DynamicTool),
    /// Functions that belong together.
    Namespace {
        /// Their common name.
        name: String,
        /// What they are for.
        description: String,
        /// The functions.
        tools: Vec<DynamicToolSpec>,
    },
}

/// Why a host's tools cannot be taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DynamicToolError {
    /// A name is empty.
    #[error("a tool of the host has no name")]
    Unnamed,
    /// A name has a character that the API does not take.
    #[error("the name `{0}` of a tool of the host has more than letters, digits, `_` and `-`")]
    Name(String),
    /// Two have the same name.
    #[error("two tools of the host have the name `{0}`")]
    Repeated(String),
    /// A namespace stands in another one.
    #[error("the namespace `{0}` of the host's tools stands in another one")]
    Nested(String),
}

/// The tools that a host gives to a thread, with names that a server takes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct DynamicTools(Vec<DynamicToolSpec>);

impl DynamicTools {
    /// Takes a host's tools where their names can be used.
    pub fn new(specs: Vec<DynamicToolSpec>) -> Result<Self, DynamicToolError> {
        check(&specs)?;
        for spec in &specs {
            let DynamicToolSpec::Namespace { tools, .. } = spec else { continue };
            let nested = |it: &DynamicToolSpec| matches!(it, DynamicToolSpec::Namespace { .. });
            if let Some(inner) = tools.iter().find(|it| nested(it)) {
                return Err(DynamicToolError::Nested(inner.name().to_owned()));
            }
            check(tools)?;
        }
        Ok(Self(specs))
    }

    /// The tools, in the host's order.
    pub fn specs(&self) -> &[DynamicToolSpec] {
        &self.0
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The tools of a record; none where they do not decode.
    pub(crate) fn from_record(json: &str) -> Option<Self> {
        serde_json::from_str::<Vec<RecordedTool>>(json)
            .ok()?
            .into_iter()
            .map(RecordedTool::into_spec)
            .collect::<Option<Vec<_>>>()
            .and_then(|specs| Self::new(specs).ok())
    }
}

impl DynamicToolSpec {
    /// The name of the function or the namespace.
    pub fn name(&self) -> &str {
        match self {
            Self::Function(tool) => &tool.name,
            Self::Namespace { name, .. } => name,
        }
    }
}

fn check(specs: &[DynamicToolSpec]) -> Result<(), DynamicToolError> {
    let mut names = HashSet::new();
    for spec in specs {
        let name = spec.name();
        if name.is_empty() {
            return Err(DynamicToolError::Unnamed);
        }
        if !name.bytes().all(|it| it.is_ascii_alphanumeric() || matches!(it, b'_' | b'-')) {
            return Err(DynamicToolError::Name(name.to_owned()));
        }
        if !names.insert(name) {
            return Err(DynamicToolError::Repeated(name.to_owned()));
        }
    }
    Ok(())
}

/// An entry as it stands in a record: without a type it is a function.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RecordedTool {
    #[serde(default)]
    r#type: Option<String>,
    name: String,
    description: String,
    #[serde(default)]
    input_schema: Option<Box<RawValue>>,
    #[serde(default)]
    tools: Vec<RecordedTool>,
}

impl RecordedTool {
    fn into_spec(self) -> Option<DynamicToolSpec> {
        let Self { r#type, name, description, input_schema, tools } = self;
        match r#type.as_deref() {
            Some("function") | None => Some(DynamicToolSpec::Function(DynamicTool {
                name,
                description,
                input_schema: input_schema?,
            })),
            Some("namespace") => {
                let tools = tools.into_iter().map(Self::into_spec).collect::<Option<Vec<_>>>()?;
                Some(DynamicToolSpec::Namespace { name, description, tools })
            }
            Some(_) => None,
        }
    }
}
