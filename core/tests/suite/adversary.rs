//! A tree that somebody changes while it is read: nothing leads outside, nothing hangs, nothing panics.

#![expect(clippy::disallowed_methods, reason = "the adversary changes the tree")]

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use recto_core::environment::{
    FileRead, FileSystem, FileSystemError, SandboxPolicy, SandboxedFileSystem,
};
use recto_core::testing::{FixtureDirectory, rounds};

use super::support::tree;

/// Stands in every file inside.
const INSIDE: &str = "inside";

/// Stands in every file outside, and in the one that is denied.
const SECRET: &str = "SECRET";

/// Bytes that are read of a file.
const LIMIT: u64 = 4096;

/// Swaps what stands at the paths that are read, as fast as it can.
struct Adversary {
    root: PathBuf,
    /// Where the next thing is made before it is moved to its place.
    spare: PathBuf,
}

impl Adversary {
    fn play_until(&self, stop: &AtomicBool) {
        let mut turn = 0_usize;
        while !stop.load(Ordering::Relaxed) {
            turn += 1;
            // What cannot be made this time is made another time.
            let _ = self.swap_file(turn);
            let _ = self.swap_directory(turn);
        }
    }

    fn swap_file(&self, turn: usize) -> io::Result<()> {
        match turn % 7 {
            0 => symlink("../out/AGENTS.md", &self.spare)?,
            1 => symlink(self.root.join("out/AGENTS.md"), &self.spare)?,
            2 => symlink("denied/AGENTS.md", &self.spare)?,
            3 => symlink("/dev/zero", &self.spare)?,
            4 => symlink("sub/../../out/AGENTS.md", &self.spare)?,
            5 => {
                let pipe = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
                rustix::fs::mkfifoat(rustix::fs::CWD, &self.spare, pipe)?;
            }
            // A file that grows while it is read.
            _ => {
                let mut options = OpenOptions::new();
                let mut file = options.create(true).append(true).open(&self.spare)?;
                file.write_all(INSIDE.as_bytes())?;
                fs::rename(&self.spare, self.root.join("w/AGENTS.md"))?;
                return file.write_all(INSIDE.repeat(64).as_bytes());
            }
        }
        fs::rename(&self.spare, self.root.join("w/AGENTS.md"))
    }

    /// The directory `sub` is a directory, a link out of the tree, one to what is denied, or a loop.
    fn swap_directory(&self, turn: usize) -> io::Result<()> {
        let sub = self.root.join("w/sub");
        if !turn.is_multiple_of(2) {
            let _ = fs::remove_file(&sub);
            return fs::rename(self.root.join("w/kept"), &sub);
        }
        fs::rename(&sub, self.root.join("w/kept"))?;
        match turn % 3 {
            0 => symlink("../out", &sub),
            1 => symlink("denied", &sub),
            _ => symlink("sub", &sub),
        }
    }
}

/// Whether a read that was disturbed ended as it may.
fn check(path: &Path, result: Result<Vec<u8>, FileSystemError>) {
    match result {
        Ok(bytes) => {
            let text = String::from_utf8_lossy(&bytes);
            assert!(!text.contains(SECRET), "{} led outside", path.display());
            assert!(bytes.len() as u64 <= LIMIT, "{} gave too much", path.display());
        }
        Err(FileSystemError::Denied { path: named, policy }) => {
            assert_eq!(named, path);
            assert!(!policy.is_empty());
        }
        Err(_) => {}
    }
}

fn play(rounds: u32) {
    let tree: FixtureDirectory = tree(
        "out/AGENTS.md = \"SECRET\"; w/denied/AGENTS.md = \"SECRET\"; w/AGENTS.md = \"inside\"; \
         w/sub/AGENTS.md = \"inside\"; cwd: w",
    );
    let policy = SandboxPolicy::of_roots([tree.path("w")]).without(&tree.path("w/denied"));
    let files = Arc::new(SandboxedFileSystem::new(policy));
    let reads: Vec<FileRead> = ["w/AGENTS.md", "w/sub/AGENTS.md", "w/sub/../denied/AGENTS.md"]
        .iter()
        .map(|path| FileRead { path: tree.root().join(path), limit: LIMIT })
        .collect();
    let paths: Vec<PathBuf> = reads.iter().map(|read| read.path.clone()).collect();
    let adversary = Adversary { root: tree.root().to_owned(), spare: tree.path("w/spare") };
    let stop = Arc::new(AtomicBool::new(false));
    let stopped = Arc::clone(&stop);
    let playing = std::thread::spawn(move || adversary.play_until(&stopped));
    super::support::block_on(async {
        for _ in 0..rounds {
            for (path, answer) in paths.iter().zip(files.read_files(&reads).await) {
                check(path, answer.map(|contents| contents.bytes));
            }
            for (path, answer) in paths.iter().zip(files.get_metadata_all(&paths).await) {
                check(path, answer.map(|_| Vec::new()));
            }
            if let Ok(names) = files.read_directory(&tree.path("w/sub")).await {
                assert_eq!(names, ["AGENTS.md"]);
            }
            if let Ok(real) = files.canonicalize(&paths[1]).await {
                assert!(real.starts_with(tree.path("w")), "{}", real.display());
            }
        }
    });
    stop.store(true, Ordering::Relaxed);
    playing.join().expect("the adversary only changes files");
}

#[test]
fn soak_a_tree_that_is_changed_while_it_is_read_never_leads_outside() {
    play(rounds(300, 100_000));
}
