//! What the person gives beside the directory: the prompt and values from outside.

use std::ffi::{OsStr, OsString};
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;

use clap::Args;
use recto_context_fragments::{
    AdditionalContext, AdditionalContextError, AdditionalContextKey, AdditionalContextKind,
    AdditionalContextValue,
};

/// Why an input cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum InputError {
    /// A value without a key.
    #[error("{option} {argument:?} is not KEY=VALUE")]
    NoKey { option: &'static str, argument: String },
    /// A key that no tag can hold.
    #[error(transparent)]
    Key(#[from] AdditionalContextError),
    /// Standard input failed.
    #[error("the prompt cannot be read from standard input")]
    StandardInput(#[source] io::Error),
    /// Nobody said anything.
    #[error("there is no prompt: nothing was said, or blanks alone")]
    NoPrompt,
    /// What a model is sent must be text.
    #[error("{place} is not UTF-8: byte {offset} begins no character")]
    NotUtf8 {
        /// What it was given in.
        place: &'static str,
        /// Bytes before the fault.
        offset: usize,
    },
    /// More than a model can be sent.
    #[error("the prompt is longer than {limit} characters")]
    TooLong {
        /// Characters that it may have.
        limit: usize,
    },
}

/// Values from outside that stand beside the prompt.
#[derive(Debug, Default, Args)]
pub(crate) struct ContextArgs {
    /// Add a value nobody vouches for; the model reads it in `<external_KEY>`, as the user's
    #[arg(long = "context", value_name = "KEY=VALUE")]
    untrusted: Vec<OsString>,
    /// Add a value of the application; the model reads it in `<KEY>`, as the developer's
    #[arg(long = "app-context", value_name = "KEY=VALUE")]
    application: Vec<OsString>,
}

impl InputError {
    /// A way out, where there is one.
    pub(crate) fn hint(&self) -> Option<String> {
        match self {
            Self::NoKey { option, .. } => Some(format!("write {option} branch=main")),
            Self::NoPrompt => {
                Some("say it behind the command, or pipe it into standard input".to_owned())
            }
            Self::NotUtf8 { .. } => {
                Some("convert it first, as with `iconv -f LATIN1 -t UTF-8`".to_owned())
            }
            Self::TooLong { .. } => Some("put the text into a file and say where it is".to_owned()),
            Self::Key(_) | Self::StandardInput(_) => None,
        }
    }
}

/// The values, and what the person should know about them.
#[derive(Debug, Default)]
pub(crate) struct Context {
    pub(crate) values: AdditionalContext,
    pub(crate) warnings: Vec<String>,
}

impl ContextArgs {
    /// Checks the keys; of two values for one key the later wins, with a warning.
    pub(crate) fn read(&self) -> Result<Context, InputError> {
        let mut context = Context::default();
        for argument in &self.untrusted {
            context.add("--context", AdditionalContextKind::Untrusted, argument)?;
        }
        for argument in &self.application {
            context.add("--app-context", AdditionalContextKind::Application, argument)?;
        }
        Ok(context)
    }
}

impl Context {
    fn add(
        &mut self,
        option: &'static str,
        kind: AdditionalContextKind,
        argument: &OsStr,
    ) -> Result<(), InputError> {
        let argument = lossy(argument, option, &mut self.warnings);
        let Some((key, value)) = argument.split_once('=') else {
            return Err(InputError::NoKey { option, argument });
        };
        let key = AdditionalContextKey::new(key)?;
        let value = AdditionalContextValue { kind, text: value.to_owned() };
        if self.values.insert(key.clone(), value).is_some() {
            self.warnings
                .push(format!("the context value `{key}` was given twice; the later one counts"));
        }
        Ok(())
    }
}

/// What the person says: the argument, or standard input for `-`; none where they only look.
pub(crate) fn prompt_text(
    argument: Option<&OsStr>,
    warnings: &mut Vec<String>,
) -> Result<Option<String>, InputError> {
    let Some(argument) = argument else { return Ok(None) };
    if argument != "-" {
        return Ok(Some(lossy(argument, "the prompt", warnings)));
    }
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes).map_err(InputError::StandardInput)?;
    Ok(Some(lossy(OsStr::from_bytes(&bytes), "standard input", warnings)))
}

fn lossy(text: &OsStr, source: &str, warnings: &mut Vec<String>) -> String {
    if let Some(text) = text.to_str() {
        return text.to_owned();
    }
    warnings.push(format!("{source}: bytes that are not UTF-8 were replaced by U+FFFD"));
    text.to_string_lossy().into_owned()
}
