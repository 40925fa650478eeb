//! One turn of a recorded session, and where it stands.

/// Where a record stands among the files of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RecordPlace {
    /// Which file of the chain, from 0.
    pub file: usize,
    /// The line there, from 1.
    pub line: u64,
    /// The byte there, from 0.
    pub offset: u64,
}

/// One turn of a recorded session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedTurn {
    /// Its number, from 1; turns that were taken back keep theirs.
    pub number: usize,
    /// Its name.
    pub turn_id: Option<String>,
    /// Where it begins.
    pub start: RecordPlace,
    /// Where the next one begins; none for the last.
    pub end: Option<RecordPlace>,
    /// Whether a person said something in it; only such turns count when turns are taken back.
    pub from_person: bool,
    /// Whether it was taken back later.
    pub taken_back: bool,
}
