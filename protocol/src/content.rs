//! What a message or a tool output is made of.

use serde::de::{Deserializer, Error as _};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// How closely the model looks at an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ImageDetail {
    /// The provider decides.
    Auto,
    /// A small, cheap version.
    Low,
    /// Tiles of the full picture.
    High,
    /// The picture as it is.
    Original,
}

/// One part of a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ContentItem {
    /// Text towards the model.
    InputText {
        /// The text.
        text: String,
    },
    /// A picture towards the model.
    InputImage {
        /// A `data:` URL or an address that the provider fetches.
        image_url: String,
        /// How closely to look; the provider decides where it is not said.
        #[serde(skip_serializing_if = "Option::is_none")]
        detail: Option<ImageDetail>,
    },
    /// Text from the model.
    OutputText {
        /// The text.
        text: String,
    },
    /// A part of a kind that this program does not know, or a known one that does not decode.
    #[serde(untagged)]
    Other(serde_json::Value),
}

impl ContentItem {
    /// The text of a text part.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::InputText { text } | Self::OutputText { text } => Some(text),
            Self::InputImage { .. } | Self::Other(_) => None,
        }
    }
}

impl<'de> Deserialize<'de> for ContentItem {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Tag {
            r#type: String,
        }
        #[derive(Deserialize)]
        struct Text {
            text: String,
        }
        #[derive(Deserialize)]
        struct Image {
            image_url: String,
            #[serde(default)]
            detail: Option<ImageDetail>,
        }

        let raw = <&RawValue>::deserialize(deserializer)?.get();
        let tag = serde_json::from_str::<Tag>(raw).map(|tag| tag.r#type);
        let known = match tag.as_deref() {
            Ok("input_text") => {
                serde_json::from_str::<Text>(raw).map(|it| Self::InputText { text: it.text }).ok()
            }
            Ok("output_text") => {
                serde_json::from_str::<Text>(raw).map(|it| Self::OutputText { text: it.text }).ok()
            }
            Ok("input_image") => serde_json::from_str::<Image>(raw)
                .map(|it| Self::InputImage { image_url: it.image_url, detail: it.detail })
                .ok(),
            _ => None,
        };
        // A number that no float can hold has no `Value`; that must not cost the message its other parts.
        Ok(known.unwrap_or_else(|| Self::Other(serde_json::from_str(raw).unwrap_or_default())))
    }
}

/// What a tool gave back: one text, or parts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum OutputPayload {
    /// A plain text.
    Text(String),
    /// Parts, among them pictures.
    Content(Vec<ContentItem>),
}

impl<'de> Deserialize<'de> for OutputPayload {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = <&RawValue>::deserialize(deserializer)?.get();
        if raw.starts_with('"') {
            serde_json::from_str(raw).map(Self::Text).map_err(D::Error::custom)
        } else {
            serde_json::from_str(raw).map(Self::Content).map_err(D::Error::custom)
        }
    }
}
