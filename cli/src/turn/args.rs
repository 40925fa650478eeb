//! What `exec` and `resume` have in common.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use recto_core::session::{TurnInput, UserInput};
use recto_protocol::OutputSchema;

use crate::error::CliError;
use crate::inputs::{Context, ContextArgs};
use crate::place::{Place, PlaceArgs};
use crate::turn_error::TurnError;

/// How a turn runs and what is shown of it.
#[derive(Debug, Args)]
pub(crate) struct TurnArgs {
    #[command(flatten)]
    place: PlaceArgs,
    /// Ask this model
    #[arg(short, long, value_name = "MODEL")]
    model: Option<String>,
    /// Print one event a line, as JSON
    #[arg(long)]
    pub(super) json: bool,
    /// Ask for an answer that fits the JSON schema in FILE
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output_schema: Option<PathBuf>,
    /// Write the last message to FILE
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(super) output_last_message: Option<PathBuf>,
    /// Show the picture in FILE (PNG, JPEG, GIF or WebP)
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(super) image: Vec<PathBuf>,
    /// Let the model call tools that may write: SERVER, SERVER/TOOL or the name it is told
    #[arg(long, value_name = "NAME")]
    pub(super) allow_tools: Vec<String>,
    #[command(flatten)]
    context: ContextArgs,
}

impl TurnArgs {
    /// Where the turn runs; a model goes before all settings.
    pub(crate) fn place(&self, before: PlaceArgs) -> Result<Place, CliError> {
        let mut place = before.then(self.place.clone());
        if let Some(model) = &self.model {
            place.overrides.push(format!("model={}", serde_json::Value::from(model.as_str())));
        }
        Ok(Place::of(place)?)
    }

    /// What the turn is given, and what the person should know about it.
    pub(crate) fn input(&self, text: String) -> Result<(TurnInput, Vec<String>), CliError> {
        let Context { values, warnings } = self.context.read()?;
        let input =
            UserInput { text: Some(text), additional_context: values, ..UserInput::default() };
        let output_schema = self.output_schema.as_ref().map(schema).transpose()?;
        Ok((TurnInput { input, output_schema, ..TurnInput::default() }, warnings))
    }
}

/// Reads a schema; whether it is one is for the provider to say.
#[expect(clippy::disallowed_methods, reason = "the person names a file")]
fn schema(path: &PathBuf) -> Result<OutputSchema, TurnError> {
    let text = std::fs::read_to_string(path);
    let schema = text.and_then(|text| OutputSchema::from_json(&text).map_err(Into::into));
    schema.map_err(|cause| TurnError::Schema { path: path.clone(), cause })
}
