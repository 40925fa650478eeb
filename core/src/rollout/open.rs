//! Opens recorded files; the only place where the reading half of rollouts touches the disk.
//!
//! Records are no part of the model's world, so they are not read through its file system.

#![expect(
    clippy::disallowed_methods,
    reason = "rollout files are read here and nowhere else, apart from the model's world"
)]

use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use ruzstd::decoding::StreamingDecoder;

/// What the file system says about a recorded file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileFacts {
    /// Its bytes on disk.
    pub bytes: u64,
    /// When it was written last.
    pub modified: SystemTime,
}

/// One entry of a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DirectoryEntry {
    pub(super) path: PathBuf,
    pub(super) is_directory: bool,
}

/// Opens a rollout, compressed (`.zst`) or not; anything but a regular file is an error.
pub(super) fn open(path: &Path) -> io::Result<Box<dyn Read + Send>> {
    facts(path)?;
    open_known(path)
}

/// Opens a rollout, compressed or not, whose [`facts`] the caller asked for: it is a regular file.
pub(super) fn open_known(path: &Path) -> io::Result<Box<dyn Read + Send>> {
    let file = File::open(path)?;
    if is_compressed(path) { Ok(Box::new(Frames::of(file))) } else { Ok(Box::new(file)) }
}

/// The bytes of an uncompressed rollout from one on, `length` of them at most; the caller asked for its [`facts`].
pub(super) fn read_known(path: &Path, offset: u64, length: u64) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(offset))?;
    // All at once, and one byte more to see the end: a buffer that grows asks the system again and again.
    let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or_default() + 1);
    file.take(length).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// What the file system says; links are followed.
pub(super) fn facts(path: &Path) -> io::Result<FileFacts> {
    let metadata = fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(io::Error::other("it is no regular file"));
    }
    Ok(FileFacts { bytes: metadata.len(), modified: metadata.modified()? })
}

/// The entries of a directory, sorted by name; entries that cannot be looked at count as files.
pub(super) fn entries(directory: &Path) -> io::Result<Vec<DirectoryEntry>> {
    let mut entries = Vec::new();
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let path = entry.path();
        let is_directory = match entry.file_type() {
            Ok(kind) if kind.is_symlink() => fs::metadata(&path).is_ok_and(|it| it.is_dir()),
            Ok(kind) => kind.is_dir(),
            Err(_) => false,
        };
        entries.push(DirectoryEntry { path, is_directory });
    }
    entries.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(entries)
}

/// Whether a rollout is compressed, by its name.
pub(super) fn is_compressed(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "zst")
}

/// Whether a source cannot be decompressed any further; what stands before was read.
pub(super) fn is_cut_off(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::InvalidData
}

/// The frames of a compressed file, one after the other.
struct Frames {
    source: Option<BufReader<File>>,
    frame: Option<Frame>,
    /// Whether a frame began, so that the file is compressed indeed.
    has_begun: bool,
}

type Frame = StreamingDecoder<BufReader<File>, ruzstd::decoding::FrameDecoder>;

impl Frames {
    fn of(file: File) -> Self {
        let source = Some(BufReader::with_capacity(128 << 10, file));
        Self { source, frame: None, has_begun: false }
    }
}

impl Read for Frames {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        use std::io::BufRead;

        loop {
            if let Some(frame) = &mut self.frame {
                let read = frame.read(buffer).map_err(|_| cut_off())?;
                if read > 0 {
                    return Ok(read);
                }
                self.source = self.frame.take().map(StreamingDecoder::into_inner);
            }
            let Some(mut source) = self.source.take() else { return Ok(0) };
            if source.fill_buf()?.is_empty() {
                return Ok(0);
            }
            let has_begun = self.has_begun;
            let frame = StreamingDecoder::new(source)
                .map_err(|_| if has_begun { cut_off() } else { not_compressed() });
            self.frame = Some(frame?);
            self.has_begun = true;
        }
    }
}

fn cut_off() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "the compressed data breaks off")
}

fn not_compressed() -> io::Error {
    io::Error::other("it is not compressed, though its name says so")
}
