//! The directory that trust in a checkout is given to.

use pretty_assertions::assert_eq;
use recto_core::environment::git_root;

use super::support::{block_on, files, relative, tree};

#[track_caller]
fn check(line: &str, expected: Option<&str>) {
    let tree = tree(line);
    let root = block_on(git_root(&*files(&tree), &tree.cwd()));
    assert_eq!(root.map(|it| relative(&tree, &it)).as_deref(), expected, "{line}");
}

#[test]
fn a_git_directory_with_a_head_makes_a_root() {
    check(r#"r/.git/HEAD = "ref: refs/heads/main\n"; r/a/b/; cwd: r/a/b"#, Some("r"));
    check(r#"r/.git/HEAD = ""; cwd: r"#, Some("r"));
    check("r/.git/HEAD/; cwd: r", Some("r"));
    check(r#"bare/HEAD = ""; r/.git -> ../bare; cwd: r"#, Some("r"));
    check(r#"r/.git/HEAD = ""; r/.git/hooks/; cwd: r/.git/hooks"#, Some("r"));
    check("r/; cwd: r", None);
}

#[test]
fn a_git_directory_without_a_head_is_passed_over() {
    check(r#"r/.git/HEAD = ""; r/a/.git/; cwd: r/a"#, Some("r"));
    check(r#"r/.git/HEAD = ""; r/a/.git/HEAD -> nowhere; cwd: r/a"#, Some("r"));
    check(r#"r/.git/HEAD = ""; r/a/.git -> nowhere; cwd: r/a"#, Some("r"));
    check("r/.git/; cwd: r", None);
}

/// A worktree `wt` of the checkout `main`, with what its `.git` file and the two files of git say.
fn worktree(git: &str, commondir: &str, gitdir: &str, cwd: &str) -> String {
    format!(
        r#"main/.git/HEAD = ""; main/.git/worktrees/wt/commondir = "{commondir}"; main/.git/worktrees/wt/gitdir = "{gitdir}"; wt/.git = "{git}"; wt/sub/; cwd: {cwd}"#
    )
}

#[test]
fn a_linked_worktree_belongs_to_its_main_checkout() {
    let absolute = r"gitdir: $ROOT/main/.git/worktrees/wt\n";
    let back = r"$ROOT/wt/.git\n";
    check(&worktree(absolute, r"../..\n", back, "wt/sub"), Some("main"));
    check(&worktree(absolute, r"$ROOT/main/.git\n", back, "wt"), Some("main"));
    check(
        &worktree("gitdir:../main/.git/worktrees/wt", "../..", "../../../../wt/.git", "wt"),
        Some("main"),
    );
    check(
        r#"main/.git/worktrees/wt/commondir = "../.."; main/.git/worktrees/wt/gitdir = "$ROOT/wt/.git"; wt/.git = "gitdir: ../main/.git/worktrees/wt"; cwd: wt"#,
        Some("main"),
    );
}

#[test]
fn a_forged_git_file_borrows_nobodys_trust() {
    let real = r"gitdir: $ROOT/main/.git/worktrees/wt\n";
    let back = r"$ROOT/wt/.git\n";
    check(&worktree(real, "../..", r"$ROOT/elsewhere/.git\n", "wt"), None);
    check(&worktree(real, "..", back, "wt"), None);
    check(&worktree(real, "", back, "wt"), None);
    check(&worktree(real, "../..", "", "wt"), None);
    check(&worktree(r"gitdir: $ROOT/main/.git\n", "../..", back, "wt"), None);
    check(&worktree("", "../..", back, "wt"), None);
    check(&worktree("rubbish", "../..", back, "wt"), None);
    check(&worktree("gitdir:", "../..", back, "wt"), None);
    check(
        r#"bare/worktrees/wt/commondir = "../.."; bare/worktrees/wt/gitdir = "$ROOT/wt/.git"; bare/HEAD = ""; wt/.git = "gitdir: ../bare/worktrees/wt"; cwd: wt"#,
        None,
    );
    check(
        r#"main/.git/HEAD = ""; main/.git/worktrees/wt/; wt/.git = "gitdir: ../main/.git/worktrees/wt"; cwd: wt"#,
        None,
    );
}

#[test]
fn a_git_file_that_is_no_worktrees_ends_the_search() {
    let submodule = r#"super/.git/HEAD = ""; super/.git/modules/mod/HEAD = ""; super/mod/.git = "gitdir: ../.git/modules/mod\n""#;
    check(&format!("{submodule}; super/mod/src/; cwd: super/mod/src"), None);
    check(&format!("{submodule}; cwd: super"), Some("super"));
    check(r#"r/.git/HEAD = ""; r/a/.git = "rubbish"; cwd: r/a"#, None);
}
