//! A file that a program left in the middle of a line, made ready for the next one.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::file::{RolloutFile, new_file};
use super::records::{Piece, pieces};
use super::scan::Scan;

/// Files of torn bytes beside one rollout, at most; more would mean that something else is wrong.
const MOST_TORN_FILES: u32 = 10_000;

/// What was changed at the end of a file before its first new line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mended {
    /// Where the file ended after the cut, in bytes.
    pub at: u64,
    /// What was cut and is no whole record, without the NUL bytes behind it.
    pub torn: Vec<u8>,
    /// Where the torn bytes were put, for their owner alone: `FILE.torn-1` and so on.
    pub kept_in: Option<PathBuf>,
    /// NUL bytes that were cut and kept nowhere.
    pub nul_bytes: u64,
    /// Whether a line end was added to a last line that is whole.
    pub closed: bool,
}

/// Makes a file end with a line end.
///
/// Cuts what follows the last whole record and closes that one where its line end is missing. Torn bytes are on
/// the disk in a file of their own before they are cut. Returns what was changed, and the new length.
pub(super) fn mend(file: &mut dyn RolloutFile, scan: &Scan) -> io::Result<(Option<Mended>, u64)> {
    let whole = end_of_records(&scan.tail);
    let torn = &scan.tail[whole..];
    let at = scan.end_of_lines + whole as u64;
    let nul_bytes = scan.len - scan.end_of_lines - scan.tail.len() as u64;
    let closed = whole > 0;
    if torn.is_empty() && nul_bytes == 0 && !closed {
        return Ok((None, at));
    }
    let kept_in = if torn.is_empty() { None } else { Some(keep(file.path(), torn)?) };
    if at < scan.len {
        file.set_len(at)?;
    }
    if closed && file.append(b"\n")? == 0 {
        return Err(io::ErrorKind::WriteZero.into());
    }
    let mended = Mended { at, torn: torn.to_vec(), kept_in, nul_bytes, closed };
    Ok((Some(mended), at + u64::from(closed)))
}

/// Where the last whole record of a tail ends, with the white space behind it; 0 where there is none.
fn end_of_records(tail: &[u8]) -> usize {
    let is_record = |piece: &&Piece| matches!(piece, Piece::Record(_));
    let end = pieces(tail).iter().rfind(is_record).map_or(0, |piece| piece.range().end);
    end + tail[end..].iter().take_while(|byte| byte.is_ascii_whitespace()).count()
}

/// Writes torn bytes beside the file that they stood in.
fn keep(path: &Path, torn: &[u8]) -> io::Result<PathBuf> {
    for number in 1..=MOST_TORN_FILES {
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".torn-{number}"));
        let kept_in = PathBuf::from(name);
        match new_file(&kept_in) {
            Ok(mut file) => {
                if let Err(error) = file.write_all(torn).and_then(|()| file.sync_data()) {
                    let _ = fs::remove_file(&kept_in);
                    return Err(error);
                }
                return Ok(kept_in);
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::new(io::ErrorKind::AlreadyExists, "there are too many .torn files beside it"))
}
