//! Reads that a policy confines: what is inside reads as everywhere, and nothing leads out.

#![expect(clippy::disallowed_methods, reason = "a test changes the tree behind the sandbox's back")]

use std::path::PathBuf;
use std::sync::Arc;

use pretty_assertions::assert_eq;
use recto_core::agents_md::Freshness;
use recto_core::environment::{
    FileKind, FileRead, FileSystem, FileSystemError, LocalFileSystem, SandboxPolicy,
    SandboxedFileSystem,
};
use recto_core::testing::{Fixture, FixtureDirectory};
use recto_protocol::{
    FileSystemAccess, FileSystemEntry, FileSystemPath, FileSystemPermissions, NetworkPermissions,
    PermissionProfile, SpecialPath,
};

use FileSystemAccess::{Deny, Read, Write};

use super::manager::Asker;
use super::support::{block_on, text_of, tree};

const LIMIT: u64 = 1_000;

fn sandbox(policy: SandboxPolicy) -> SandboxedFileSystem {
    SandboxedFileSystem::new(policy)
}

/// Everything in `w` may be read, and nothing else.
fn around_w(tree: &FixtureDirectory) -> SandboxedFileSystem {
    sandbox(SandboxPolicy::of_roots([tree.path("w")]))
}

/// What a read gives, with the fixture's root cut out of paths.
fn read(tree: &FixtureDirectory, files: &dyn FileSystem, path: &str) -> String {
    let root = format!("{}/", tree.root().display());
    match block_on(files.read_file(&tree.root().join(path), LIMIT)) {
        Ok(contents) => String::from_utf8_lossy(&contents.bytes).into_owned(),
        Err(error) => format!("! {error}").replace(&root, ""),
    }
}

fn restricted(entries: &[(FileSystemPath, FileSystemAccess)]) -> PermissionProfile {
    let entry = |(path, access): &(FileSystemPath, FileSystemAccess)| FileSystemEntry {
        path: path.clone(),
        access: *access,
    };
    let entries = entries.iter().map(entry).collect();
    PermissionProfile::Managed {
        file_system: FileSystemPermissions::Restricted { entries, glob_scan_max_depth: None },
        network: NetworkPermissions::Restricted,
    }
}

fn at(path: PathBuf) -> FileSystemPath {
    FileSystemPath::Path { path }
}

fn special(value: SpecialPath) -> FileSystemPath {
    FileSystemPath::Special { value }
}

#[test]
fn what_lies_inside_is_what_it_is_without_a_sandbox() {
    let tree = Fixture::parse(
        "
        //- w/a/file = \"text\"
        //- w/a/caf\\xE9 = \"name of any bytes\"
        //- w/link -> a/file
        //- w/absolute -> $ROOT/w/a/file
        //- w/directory -> a
        //- w/deep/up -> ../directory/./file
        //- w/beyond -> a/../a/file
        //- w/hard => w/a/file
        //- w/chain -> link
        //- w/loop -> loop
        //- w/broken -> nowhere/at/all
        //- w/through_file -> a/file/x
        //- w/pipe |
        //- w/long = \"x\"*2000
        //- cwd: w
        ",
    )
    .lay_out();
    let sandboxed = around_w(&tree);
    let paths = [
        "w",
        "w/a",
        "w/a/file",
        "w/link",
        "w/absolute",
        "w/directory",
        "w/directory/file",
        "w/deep/up",
        "w/beyond",
        "w/hard",
        "w/chain",
        "w/loop",
        "w/broken",
        "w/through_file",
        "w/pipe",
        "w/long",
        "w/none",
        "w/a/file/x",
        "w/a/../a/file",
        "w/directory/../link",
    ]
    .map(|path| tree.root().join(path));
    block_on(async {
        for path in &paths {
            let shown = path.display();
            let local = LocalFileSystem;
            assert_eq!(
                sandboxed.get_metadata(path).await,
                local.get_metadata(path).await,
                "{shown}"
            );
            assert_eq!(
                sandboxed.read_file(path, LIMIT).await,
                local.read_file(path, LIMIT).await,
                "{shown}"
            );
            assert_eq!(
                sandboxed.canonicalize(path).await.ok(),
                local.canonicalize(path).await.ok(),
                "{shown}"
            );
        }
        let mut names = sandboxed.read_directory(&tree.path("w/a")).await.unwrap();
        names.sort();
        let mut expected = LocalFileSystem.read_directory(&tree.path("w/a")).await.unwrap();
        expected.sort();
        assert_eq!(names, expected);
        let reads: Vec<FileRead> =
            paths.iter().map(|path| FileRead { path: path.clone(), limit: 3 }).collect();
        assert_eq!(sandboxed.read_files(&reads).await, LocalFileSystem.read_files(&reads).await);
    });
}

#[test]
fn nothing_leads_out_and_the_error_names_path_and_policy() {
    let tree = Fixture::parse(
        "
        //- out/secret = \"SECRET\"
        //- w/file = \"inside\"
        //- w/link -> ../out/secret
        //- w/absolute -> $ROOT/out/secret
        //- w/directory -> ../out
        //- w/chain -> link
        //- w/up -> ..
        //- w/root -> /
        //- w/missing -> ../out/nothing
        //- w/back -> ../w/file
        //- w/around -> ../out/../w/file
        //- cwd: w
        ",
    )
    .lay_out();
    let files = around_w(&tree);
    let only = "only w may be read";
    let rows = [
        ("w/file", "inside".to_owned()),
        ("out/secret", format!("! out/secret may not be read: {only}")),
        (
            "w/../out/secret",
            format!("! w/../out/secret may not be read: it leads to out/secret, and {only}"),
        ),
        ("w/link", format!("! w/link may not be read: it leads to out/secret, and {only}")),
        ("w/absolute", format!("! w/absolute may not be read: it leads to out/secret, and {only}")),
        (
            "w/directory/secret",
            format!("! w/directory/secret may not be read: it leads to out/secret, and {only}"),
        ),
        ("w/chain", format!("! w/chain may not be read: it leads to out/secret, and {only}")),
        (
            "w/up/out/secret",
            format!("! w/up/out/secret may not be read: it leads to out/secret, and {only}"),
        ),
        (
            "w/root/etc/passwd",
            format!("! w/root/etc/passwd may not be read: it leads to /etc/passwd, and {only}"),
        ),
        ("w/missing", format!("! w/missing may not be read: it leads to out/nothing, and {only}")),
        ("w/back", "inside".to_owned()),
        ("w/up/w/file", "inside".to_owned()),
        // The way matters, not only its end.
        ("w/around", format!("! w/around may not be read: it leads to out/../w/file, and {only}")),
    ];
    for (path, expected) in rows {
        assert_eq!(read(&tree, &files, path), expected);
    }
}

#[test]
fn what_the_policy_does_not_speak_of_is_not_there_for_those_who_look() {
    let tree = tree("out/file = \"x\"; w/file = \"x\"; w/link -> ../out/file; cwd: w");
    let files = around_w(&tree);
    let look = |path: &str| block_on(files.get_metadata(&tree.path(path)));
    assert_eq!(look("w/file").map(|it| it.kind), Ok(FileKind::File));
    assert_eq!(look("out/file"), Err(FileSystemError::NotFound));
    assert_eq!(look("out"), Err(FileSystemError::NotFound));
    assert!(matches!(look("w/link"), Err(FileSystemError::Denied { .. })));
    let listed = block_on(files.read_directory(&tree.path("out")));
    assert!(matches!(listed, Err(FileSystemError::Denied { .. })));
}

#[test]
fn a_profile_says_what_may_be_read() {
    let tree = tree(
        "w/file = \"file\"; w/secret/key = \"key\"; w/secret/open/x = \"open\"; w/a/.env = \"env\"; \
         w/to_key -> secret/key; w/to_env -> a/.env; w/one = \"one\"; w/two = \"two\"; cwd: w",
    );
    let path = |it: &str| at(tree.path(it));
    let glob = FileSystemPath::GlobPattern {
        pattern: tree.path("w/**/.env").to_string_lossy().into_owned(),
    };
    let whole = restricted(&[
        (special(SpecialPath::Root), Read),
        (path("w"), Write),
        (path("w/secret"), Deny),
        (path("w/secret/open"), Read),
        (glob, Deny),
    ]);
    let some = restricted(&[
        (special(SpecialPath::Minimal), Read),
        (special(SpecialPath::Tmpdir), Read),
        (path("w/one"), Read),
    ]);
    let denies = |rule: &str| format!("the permission profile denies {rule}");
    let secret = denies("w/secret");
    let env = denies("w/**/.env");
    let tmpdir = tree.path("w/a");
    let rows = [
        (&whole, "w/file", "file".to_owned()),
        (&whole, "w/secret/key", format!("! w/secret/key may not be read: {secret}")),
        (&whole, "w/to_key", format!("! w/to_key may not be read: {secret}")),
        (&whole, "w/secret/open/x", "open".to_owned()),
        (&whole, "w/a/.env", format!("! w/a/.env may not be read: {env}")),
        (&whole, "w/to_env", format!("! w/to_env may not be read: {env}")),
        (&some, "w/one", "one".to_owned()),
        (
            &some,
            "w/two",
            "! w/two may not be read: only /bin, /sbin, /usr, /etc, /lib, /lib64, /nix/store, \
             /run/current-system/sw, w/a and w/one may be read"
                .to_owned(),
        ),
        (&some, "w/a/.env", "env".to_owned()),
        (&PermissionProfile::Disabled, "w/secret/key", "key".to_owned()),
    ];
    for (profile, path, expected) in rows {
        let files = sandbox(SandboxPolicy::of_profile(profile, Some(&tmpdir)));
        assert_eq!(read(&tree, &files, path), expected);
    }
    let kind = |path: &str| {
        let files = sandbox(SandboxPolicy::of_profile(&whole, None));
        block_on(files.get_metadata(&tree.path(path))).map(|it| it.kind)
    };
    assert_eq!(kind("w/secret"), Ok(FileKind::Directory), "what is denied can be seen");
    assert_eq!(kind("w/a/.env"), Ok(FileKind::File), "what is denied can be seen");
    assert!(matches!(kind("w/secret/key"), Err(FileSystemError::Denied { .. })));
}

#[test]
fn only_a_profile_that_forbids_no_read_allows_everything() {
    let root = (special(SpecialPath::Root), Read);
    let rows = [
        (PermissionProfile::Disabled, true),
        (restricted(std::slice::from_ref(&root)), true),
        (restricted(&[root, (at("/x".into()), Deny)]), false),
        (restricted(&[(special(SpecialPath::Minimal), Read)]), false),
    ];
    for (profile, expected) in rows {
        assert_eq!(SandboxPolicy::of_profile(&profile, None).allows_everything(), expected);
    }
}

#[test]
fn a_place_under_the_name_of_a_link_is_the_place_itself() {
    let tree = tree(
        "real/w/file = \"inside\"; real/x = \"x\"; name -> real; real/w/up -> ../x; cwd: real",
    );
    let files = sandbox(SandboxPolicy::of_roots([tree.path("name/w")]));
    assert_eq!(read(&tree, &files, "name/w/file"), "inside");
    assert_eq!(read(&tree, &files, "real/w/file"), "inside");
    assert_eq!(
        read(&tree, &files, "name/w/up"),
        "! name/w/up may not be read: it leads to real/x, and only name/w may be read"
    );
}

#[test]
fn a_root_that_is_made_anew_is_found() {
    let tree = tree("w/file = \"old\"; cwd: w");
    let files = around_w(&tree);
    assert_eq!(read(&tree, &files, "w/file"), "old");
    std::fs::rename(tree.path("w"), tree.path("gone")).unwrap();
    assert_eq!(read(&tree, &files, "w/file"), "! no such file or directory");
    std::fs::create_dir(tree.path("w")).unwrap();
    std::fs::write(tree.path("w/file"), "new").unwrap();
    assert_eq!(read(&tree, &files, "w/file"), "new");
}

#[tokio::test]
async fn a_denied_doc_stops_the_step_and_the_next_one_tries_again() {
    let tree = tree(
        "w/.git/; w/AGENTS.md -> ../out; out = \"OUT\"; w/sub/AGENTS.md = \"SUB\"; cwd: w/sub",
    );
    let files = Arc::new(around_w(&tree));
    let asker = Asker::new(&tree, "w/sub", files, Freshness::Selection).await;
    let root = format!("{}/", tree.root().display());
    for _ in 0..2 {
        let error = asker.refresh().await.expect_err("the link leads out");
        assert_eq!(
            error.to_string().replace(&root, ""),
            "project instructions could not be read: w/AGENTS.md may not be read: it leads to out, \
             and only w may be read"
        );
        assert_eq!(asker.manager.get_loaded(), None);
    }
    std::fs::remove_file(tree.path("w/AGENTS.md")).unwrap();
    std::fs::write(tree.path("w/AGENTS.md"), "IN").unwrap();
    let loaded = asker.refresh().await.expect("nothing leads out any more");
    assert_eq!(text_of(&tree, &loaded), "[w/sub] IN\n\nSUB");
    assert_eq!(asker.manager.get_loaded(), Some(loaded));
}

#[tokio::test]
async fn the_walk_up_ends_where_the_sandbox_does() {
    let tree = tree(
        ".git/; AGENTS.md = \"ABOVE\"; w/.git/; w/AGENTS.md = \"W\"; w/sub/AGENTS.md = \"SUB\"; cwd: w/sub",
    );
    let rows = [("w", "[w/sub] W\n\nSUB"), ("w/sub", "[w/sub] SUB")];
    for (root, expected) in rows {
        let files = Arc::new(sandbox(SandboxPolicy::of_roots([tree.path(root)])));
        let asker = Asker::new(&tree, "w/sub", files, Freshness::Selection).await;
        let loaded = asker.refresh().await.expect("nothing is denied");
        assert_eq!(text_of(&tree, &loaded), expected);
    }
}
