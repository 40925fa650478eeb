//! The parameters of a tool as a model's server takes them.
//!
//! Servers of models refuse a request for one schema that they do not like, so each is brought into the shape that the
//! reference sends: the words that say what a value is stay, the others go, and what a shape needs is added.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value, json};

/// The parts of a schema that are sent, in the order in which they are.
#[derive(Debug, Default, Serialize)]
pub(super) struct Schema {
    #[serde(rename = "$ref", skip_serializing_if = "Option::is_none")]
    reference: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    r#type: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    #[serde(rename = "enum", skip_serializing_if = "Option::is_none")]
    values: Option<Vec<Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    items: Option<Box<Schema>>,
    #[serde(rename = "minItems", skip_serializing_if = "Option::is_none")]
    min_items: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    properties: Option<BTreeMap<String, Schema>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    required: Option<Vec<String>>,
    #[serde(rename = "additionalProperties", skip_serializing_if = "Option::is_none")]
    additional: Option<Additional>,
    #[serde(rename = "anyOf", skip_serializing_if = "Option::is_none")]
    any_of: Option<Vec<Schema>>,
    #[serde(rename = "oneOf", skip_serializing_if = "Option::is_none")]
    one_of: Option<Vec<Schema>>,
    #[serde(rename = "allOf", skip_serializing_if = "Option::is_none")]
    all_of: Option<Vec<Schema>>,
    #[serde(rename = "$defs", skip_serializing_if = "BTreeMap::is_empty")]
    defs: BTreeMap<String, Schema>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    definitions: BTreeMap<String, Schema>,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Additional {
    Flag(bool),
    Schema(Box<Schema>),
}

const TYPES: [&str; 7] = ["string", "number", "boolean", "integer", "object", "array", "null"];

/// Words by which a schema without a type tells it.
const OF_OBJECTS: [&str; 3] = ["properties", "required", "additionalProperties"];
const OF_ARRAYS: [&str; 2] = ["items", "prefixItems"];
const OF_TEXTS: [&str; 3] = ["enum", "const", "format"];
const OF_NUMBERS: [&str; 5] =
    ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];

/// The parameters of a tool: an object, whatever the server says.
pub(super) fn parameters(source: &Map<String, Value>) -> Schema {
    let mut schema = of_object(source);
    schema.r#type = Some(json!("object"));
    schema.properties.get_or_insert_default();
    for (word, kept) in [("$defs", &mut schema.defs), ("definitions", &mut schema.definitions)] {
        *kept = definitions(source, word);
    }
    schema
}

/// The definitions that something refers to, also from one to the next.
fn definitions(source: &Map<String, Value>, word: &str) -> BTreeMap<String, Schema> {
    let Some(Value::Object(all)) = source.get(word) else { return BTreeMap::new() };
    let mut waiting = Vec::new();
    let outside = source.iter().filter(|(key, _)| !matches!(key.as_str(), "$defs" | "definitions"));
    outside.for_each(|(_, value)| references(value, word, &mut waiting));
    let mut kept = BTreeMap::new();
    while let Some(name) = waiting.pop() {
        if let (false, Some(definition)) = (kept.contains_key(&name), all.get(&name)) {
            references(definition, word, &mut waiting);
            kept.insert(name, of_value(definition));
        }
    }
    kept
}

/// The names of definitions that a value refers to.
fn references(value: &Value, word: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                match value.as_str().and_then(|it| it.strip_prefix("#/")) {
                    Some(path) if key == "$ref" => {
                        let name = path.strip_prefix(word).and_then(|it| it.strip_prefix('/'));
                        found.extend(name.map(|it| it.split('/').next().unwrap_or(it).to_owned()));
                    }
                    _ => references(value, word, found),
                }
            }
        }
        Value::Array(values) => values.iter().for_each(|it| references(it, word, found)),
        _ => {}
    }
}

fn of_value(source: &Value) -> Schema {
    match source {
        Value::Object(map) => of_object(map),
        _ => text(),
    }
}

/// What stands where a schema says nothing that can be kept.
fn text() -> Schema {
    Schema { r#type: Some(json!("string")), ..Schema::default() }
}

fn of_object(source: &Map<String, Value>) -> Schema {
    let list = |word: &str| match source.get(word) {
        Some(Value::Array(values)) => Some(values.iter().map(of_value).collect::<Vec<_>>()),
        _ => None,
    };
    let mut schema = Schema {
        reference: source.get("$ref").and_then(Value::as_str).map(str::to_owned),
        r#type: types(source),
        description: source.get("description").and_then(Value::as_str).map(str::to_owned),
        values: match (source.get("enum"), source.get("const")) {
            (Some(Value::Array(values)), _) => Some(values.clone()),
            (_, Some(value)) => Some(vec![value.clone()]),
            _ => None,
        },
        items: items(source),
        properties: source.get("properties").and_then(Value::as_object).map(|properties| {
            properties.iter().map(|(name, it)| (name.clone(), of_value(it))).collect()
        }),
        required: source
            .get("required")
            .and_then(Value::as_array)
            .map(|names| names.iter().filter_map(Value::as_str).map(str::to_owned).collect()),
        additional: match source.get("additionalProperties") {
            Some(Value::Bool(flag)) => Some(Additional::Flag(*flag)),
            Some(Value::Object(map)) => Some(Additional::Schema(Box::new(of_object(map)))),
            _ => None,
        },
        any_of: list("anyOf"),
        one_of: list("oneOf"),
        all_of: list("allOf"),
        ..Schema::default()
    };
    if schema.r#type.is_some() {
        schema.min_items = source.get("minItems").and_then(Value::as_u64);
    }
    if is_a(&schema, "object") {
        schema.properties.get_or_insert_default();
    }
    if is_a(&schema, "array") {
        schema.items.get_or_insert_with(|| Box::new(text()));
    }
    schema
}

fn is_a(schema: &Schema, name: &str) -> bool {
    match &schema.r#type {
        Some(Value::String(one)) => one == name,
        Some(Value::Array(several)) => several.iter().any(|it| it == name),
        _ => false,
    }
}

/// What elements are; of a list with a schema for each place, any of them.
fn items(source: &Map<String, Value>) -> Option<Box<Schema>> {
    match source.get("items")? {
        Value::Array(places) => {
            let any_of = Some(places.iter().map(of_value).collect());
            Some(Box::new(Schema { any_of, ..Schema::default() }))
        }
        one => Some(Box::new(of_value(one))),
    }
}

fn types(source: &Map<String, Value>) -> Option<Value> {
    let is_known = |it: &Value| it.as_str().is_some_and(|it| TYPES.contains(&it));
    match source.get("type") {
        Some(Value::Array(several)) => {
            let known: Vec<Value> = several.iter().filter(|it| is_known(it)).cloned().collect();
            (!known.is_empty()).then_some(Value::Array(known))
        }
        Some(one) => is_known(one).then(|| one.clone()),
        None => implied_type(source).map(|it| json!(it)),
    }
}

/// The type that the other words of a schema tell; none where it refers to others.
fn implied_type(source: &Map<String, Value>) -> Option<&'static str> {
    let has = |words: &[&str]| words.iter().any(|word| source.contains_key(*word));
    if has(&["$ref", "anyOf", "oneOf", "allOf"]) {
        None
    } else if has(&OF_OBJECTS) {
        Some("object")
    } else if has(&OF_ARRAYS) {
        Some("array")
    } else if has(&OF_TEXTS) {
        Some("string")
    } else {
        has(&OF_NUMBERS).then_some("number")
    }
}
