//! Layers of settings: parsed, and laid one over the other.

use std::path::{Path, PathBuf};

use toml::de::{DeTable, Error};

use super::error::{ConfigError, OverrideProblem};
use super::json::{self, JsonFault};
use super::location::{LayerSource, Location};
use super::names::quoted;
use super::override_key::{self, OverrideKey};
use super::value::{Item, Origin, Table, Value, merge, table};

/// One file or one `-c`.
#[derive(Debug)]
pub(super) struct Layer {
    /// Where it comes from.
    pub(super) source: LayerSource,
    /// The directory that its relative paths start from.
    pub(super) base: PathBuf,
    text: String,
    /// Its settings.
    pub(super) table: Table,
    /// For a `-c` whose key holds quotes, which mean nothing there: how to write what it means.
    pub(super) instead: Option<String>,
}

/// All layers, in the order in which they were read.
#[derive(Debug, Default)]
pub(super) struct Layers {
    layers: Vec<Layer>,
}

/// Segments of a key that count; deeper than any key, and no danger to the stack.
const DEEPEST_OVERRIDE: usize = 32;

impl Layers {
    /// Adds a file, by its bytes.
    pub(super) fn push_file(
        &mut self,
        source: LayerSource,
        base: &Path,
        bytes: &[u8],
    ) -> Result<&mut Layer, ConfigError> {
        let text = text_of(&source, bytes)?;
        let table = match DeTable::parse(text) {
            Ok(parsed) => table(self.layers.len(), parsed.get_ref()),
            Err(error) => return Err(syntax_error(&source, text, &error)),
        };
        let (base, text) = (base.to_owned(), text.to_owned());
        Ok(self.push(Layer { source, base, text, table, instead: None }))
    }

    /// Adds a file of JSON, by its bytes.
    pub(super) fn push_json(
        &mut self,
        source: LayerSource,
        base: &Path,
        bytes: &[u8],
    ) -> Result<&mut Layer, ConfigError> {
        let text = text_of(&source, bytes)?;
        let table =
            json::table(self.layers.len(), text).map_err(|JsonFault { offset, message }| {
                ConfigError::Syntax { location: Location::of(&source, text, offset), message }
            })?;
        let (base, text) = (base.to_owned(), text.to_owned());
        Ok(self.push(Layer { source, base, text, table, instead: None }))
    }

    /// Adds a `-c`; its relative paths start from the working directory.
    pub(super) fn push_override(&mut self, argument: &str, cwd: &Path) -> Result<(), ConfigError> {
        let problem = |problem| ConfigError::Override { argument: argument.to_owned(), problem };
        let OverrideKey { mut segments, equals } =
            override_key::parse(argument).ok_or_else(|| problem(OverrideProblem::NoEquals))?;
        if segments == [""] {
            return Err(problem(OverrideProblem::NoKey));
        }
        segments.truncate(DEEPEST_OVERRIDE);
        let layer = self.layers.len();
        let start = Origin { layer, offset: 0 };
        let item = Item { key_origin: start, ..override_value(layer, argument, equals) };
        let table = nested(segments, item, start);
        self.push(Layer {
            source: LayerSource::Override { argument: argument.to_owned() },
            base: cwd.to_owned(),
            text: argument.to_owned(),
            table,
            instead: without_quotes(argument),
        });
        Ok(())
    }

    fn push(&mut self, layer: Layer) -> &mut Layer {
        self.layers.push(layer);
        let last = self.layers.len() - 1;
        &mut self.layers[last]
    }

    /// Takes keys of the top level out of the files of projects, and gives them back.
    pub(super) fn strip_projects(&mut self, may_set: impl Fn(&str) -> bool) -> Vec<(String, Item)> {
        let is_project = |layer: &&mut Layer| matches!(layer.source, LayerSource::Project { .. });
        let mut taken = Vec::new();
        for layer in self.layers.iter_mut().filter(is_project) {
            taken.extend(layer.table.extract_if(.., |key, _| !may_set(key)));
        }
        taken
    }

    /// The layers, lowest first.
    pub(super) fn lowest_first(&self) -> Vec<&Layer> {
        let mut layers: Vec<&Layer> = self.layers.iter().collect();
        layers.sort_by_key(|layer| layer.source.height());
        layers
    }

    /// All layers as one table.
    pub(super) fn merged(&self) -> Table {
        let mut merged = Table::new();
        for layer in self.lowest_first() {
            merge(&mut merged, &layer.table);
        }
        merged
    }

    /// The layer that a value stands in.
    pub(super) fn layer(&self, origin: Origin) -> &Layer {
        &self.layers[origin.layer]
    }

    /// How high the layer of a value stands; all `-c` together are one layer.
    pub(super) fn height(&self, origin: Origin) -> (u8, usize) {
        let source = &self.layer(origin).source;
        (source.height(), source.project_depth())
    }

    /// The place of a value, for people.
    pub(super) fn locate(&self, origin: Origin) -> Location {
        let layer = self.layer(origin);
        Location::of(&layer.source, &layer.text, origin.offset)
    }
}

/// The text of a file, without the mark that some editors put before it.
fn text_of<'b>(source: &LayerSource, bytes: &'b [u8]) -> Result<&'b str, ConfigError> {
    match str::from_utf8(bytes) {
        Ok(text) => Ok(text.strip_prefix('\u{feff}').unwrap_or(text)),
        Err(error) => {
            let read = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
            Err(ConfigError::NotUtf8(Location::of(source, &read, read.len())))
        }
    }
}

/// Tables around a value, one a segment.
fn nested(segments: Vec<String>, item: Item, origin: Origin) -> Table {
    let mut segments = segments.into_iter().rev();
    let innermost = Table::from([(segments.next().unwrap_or_default(), item)]);
    segments.fold(innermost, |table, segment| {
        let around = Item { origin, key_origin: origin, value: Value::Table(table) };
        Table::from([(segment, around)])
    })
}

/// What a `-c` with quotes in its key means, as a `-c` that says it: with tables in place of dots.
fn without_quotes(argument: &str) -> Option<String> {
    let OverrideKey { segments, equals } = override_key::parse_as_toml(argument)?;
    let value = match override_value(0, argument, equals).value {
        Value::Text(text) => format!("{text:?}"),
        _ => argument[equals + 1..].trim().to_owned(),
    };
    let (first, inner) = segments.split_first()?;
    let value =
        inner.iter().rev().fold(value, |value, segment| format!("{{{}={value}}}", quoted(segment)));
    Some(format!("{first}={value}"))
}

/// The value of a `-c`: TOML, or else the text itself without the quotes around it. A date is text.
fn override_value(layer: usize, argument: &str, equals: usize) -> Item {
    // Blanks in place of the key keep every offset true.
    let document = format!("_{}{}", " ".repeat(equals.saturating_sub(1)), &argument[equals..]);
    let parsed = DeTable::parse(&document).ok();
    let item = parsed.and_then(|document| table(layer, document.get_ref()).remove("_"));
    match item {
        Some(Item { value: Value::Date(_), .. }) | None => raw_text(layer, argument, equals),
        Some(item) => item,
    }
}

fn raw_text(layer: usize, argument: &str, equals: usize) -> Item {
    let text = argument[equals + 1..].trim().trim_matches(['"', '\'']);
    let origin = Origin { layer, offset: equals + 1 };
    Item { origin, key_origin: origin, value: Value::Text(text.to_owned()) }
}

fn syntax_error(source: &LayerSource, text: &str, error: &Error) -> ConfigError {
    let offset = error.span().map_or(text.len(), |span| span.start);
    ConfigError::Syntax {
        location: Location::of(source, text, offset),
        message: error.message().split_whitespace().collect::<Vec<_>>().join(" "),
    }
}
