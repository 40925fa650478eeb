//! What an author would want to know about a file, and its words.

use std::fmt;
use std::path::PathBuf;

use recto_context_fragments::HiddenText;

/// Lines of one file over which a map has become a manual.
pub(super) const MAX_MAP_LINES: usize = 100;

/// Ends the text in the model's eyes.
pub(super) const END_MARKER: &str = "</INSTRUCTIONS>";

/// One thing that an author would want to know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NearMiss {
    /// The file it is about, or the directory of the configuration.
    pub path: PathBuf,
    /// What it is.
    pub kind: NearMissKind,
}

/// What an author would want to know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NearMissKind {
    /// The name is almost one that is looked for.
    MistakenName {
        /// The name that is looked for.
        expected: &'static str,
    },
    /// The text is UTF-16, which the model reads as noise.
    Utf16,
    /// The text is nothing but the path of another file: a link that was checked out as text, or an import.
    OnlyAPath {
        /// The path.
        target: String,
    },
    /// The text starts with a byte order mark, which the model reads as part of the first word.
    ByteOrderMark,
    /// The text holds the marker that ends it.
    HoldsEndMarker {
        /// The line, counted from 1.
        line: usize,
    },
    /// The text holds characters that a person does not see.
    Hidden(HiddenText),
    /// A name in `project_doc_fallback_filenames` that is always tried earlier anyway.
    UnreachableFallback {
        /// The name.
        name: String,
    },
    /// The text names a path that does not exist.
    NamesMissingPath {
        /// The path as it is written.
        target: String,
        /// The line, counted from 1.
        line: usize,
    },
    /// The text has more lines than a map should.
    LongMap {
        /// Its lines.
        lines: usize,
    },
}

impl fmt::Display for NearMissKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MistakenName { expected } => {
                write!(f, "not read: the name that is looked for is {expected}")
            }
            Self::Utf16 => f.write_str("is UTF-16; the model reads it as noise: save it as UTF-8"),
            Self::OnlyAPath { target } => {
                write!(f, "holds only the path `{target}`; nothing is imported or followed")
            }
            Self::ByteOrderMark => {
                f.write_str("starts with a byte order mark, which the model reads too")
            }
            Self::HoldsEndMarker { line } => {
                write!(
                    f,
                    "holds {END_MARKER} in line {line}; the model may think that the text ends there"
                )
            }
            Self::Hidden(hidden) => write!(f, "{hidden}"),
            Self::UnreachableFallback { name } => {
                write!(
                    f,
                    "the fallback name `{name}` can never be reached: it is tried before all fallbacks"
                )
            }
            Self::NamesMissingPath { target, line } => {
                write!(f, "line {line} names `{target}`, which does not exist")
            }
            Self::LongMap { lines } => {
                write!(
                    f,
                    "has {lines} lines; in more than {MAX_MAP_LINES}, single rules are easily passed over"
                )
            }
        }
    }
}
