//! How far a replay goes.

/// How far a replay goes. Turns count from 1, those that were taken back included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Until {
    /// To the end of the record.
    #[default]
    End,
    /// To the place where a turn begins.
    BeforeTurn(usize),
    /// To a turn's first request: everything that the model read when it gave its first answer there.
    Request(usize),
    /// To the end of a turn, before the next one begins.
    AfterTurn(usize),
}
