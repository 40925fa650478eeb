//! Goes through the records of a session in their order, and rebuilds nothing.

use super::super::open;
use super::super::reader::{Record, RolloutReader};
use super::chain::RolloutChain;
use super::error::ReplayError;
use super::recorded_turn::RecordPlace;

/// Shows every record that belongs to a session, and everything that stands where one should.
pub fn walk(
    chain: &RolloutChain,
    mut visit: impl FnMut(RecordPlace, Record<'_>),
) -> Result<(), ReplayError> {
    for (file, part) in chain.parts().iter().enumerate() {
        let read_error = |source| ReplayError::Read { path: part.path.clone(), source };
        let mut reader = RolloutReader::new(open::open(&part.path).map_err(read_error)?);
        while let Some(record) = reader.next_record().map_err(read_error)? {
            let (place, ordinal) = match &record {
                Record::Line(place, line) => (*place, line.ordinal()),
                Record::Fault(fault) => (fault.place, None),
            };
            if part.end.is_reached(place.offset, ordinal) {
                break;
            }
            visit(RecordPlace { file, line: place.line, offset: place.offset }, record);
        }
    }
    Ok(())
}
