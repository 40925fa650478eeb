//! What is wrong with single lines of a rollout; each costs itself and is named.

use std::fmt;

/// How many faults are kept one by one; beyond that they are only counted, so that a broken file costs no memory.
const KEPT: usize = 1_000;

/// Where a record stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Place {
    /// The line, from 1.
    pub line: u64,
    /// The byte in the file at which the record begins, from 0.
    pub offset: u64,
    /// Its bytes, without the newline.
    pub bytes: u64,
    /// Whether it shares its line with something before it.
    pub shares_line: bool,
    /// Whether a newline ends it; false only at the end of a file.
    pub terminated: bool,
}

/// What is wrong with a line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FaultCause {
    /// Bytes that are no text.
    #[error("it is not UTF-8")]
    NotUtf8,
    /// Text that is no record.
    #[error("it is no record: {0}")]
    NotARecord(String),
    /// Zeros, as a crash leaves them.
    #[error("it holds nothing but zero bytes")]
    ZeroBytes,
    /// It is longer than a line may be; it was passed over without being held.
    #[error("it is longer than {limit} bytes")]
    TooLong {
        /// The bytes that a line may have.
        limit: usize,
    },
    /// The end of the file cuts it off, as when the program that wrote it was killed.
    #[error("the file ends inside of it")]
    TornTail,
    /// The file is compressed, and what stands from here on cannot be decompressed.
    #[error("the compressed data breaks off here")]
    CutOff,
    /// It is a record whose payload has not the form that its type asks for.
    #[error("its payload is not what its type asks for")]
    OddPayload,
    /// Its ordinal is not the next one; the order of the lines is what counts.
    #[error("its ordinal is {found} where {expected} was to come")]
    Ordinal {
        /// What it says; `?` where that is no number.
        found: String,
        /// What follows from the lines before.
        expected: u64,
    },
    /// Lines of this file must carry ordinals, and this one does not.
    #[error("it has no ordinal, and the file says that every line has one")]
    NoOrdinal,
}

/// One fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineFault {
    /// Where.
    pub place: Place,
    /// What.
    pub cause: FaultCause,
    /// The type that the line seems to have had.
    pub type_name: Option<String>,
}

impl LineFault {
    /// Whether the line is lost; false where it was read and only something about it is odd.
    pub const fn costs_the_line(&self) -> bool {
        !matches!(self.cause, FaultCause::Ordinal { .. } | FaultCause::NoOrdinal)
    }
}

impl fmt::Display for LineFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Place { line, offset, bytes, .. } = self.place;
        write!(f, "line {line} (byte {offset}, {bytes} bytes")?;
        if let Some(name) = &self.type_name {
            write!(f, ", `{name}`")?;
        }
        write!(f, "): {}", self.cause)
    }
}

/// The faults of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Faults {
    first: Vec<LineFault>,
    total: u64,
}

impl Faults {
    /// Adds one.
    pub fn push(&mut self, fault: LineFault) {
        self.total += 1;
        if self.first.len() < KEPT {
            self.first.push(fault);
        }
    }

    /// The first ones, at most a thousand.
    pub fn first(&self) -> &[LineFault] {
        &self.first
    }

    /// How many there are.
    pub const fn total(&self) -> u64 {
        self.total
    }

    /// Whether there is none.
    pub const fn is_empty(&self) -> bool {
        self.total == 0
    }
}
