//! The sequences.

use super::steps::{Calls, Reply, Sequence, Step, calls, says};

const REPO: &str = "
    //- home/AGENTS.md = \"host rule\\n\"
    //- repo/.git/HEAD = \"ref: refs/heads/main\\n\"
    //- repo/AGENTS.md = \"root rule\\n\"
    //- repo/sub/AGENTS.md = \"sub rule\\n\"
    //- home/skills/greet/SKILL.md
    ---
    name: greet
    description: Says hello
    ---
    Say hello.
    //- cwd: repo
";

const BARE: &str = "
    //- repo/.git/HEAD = \"ref: refs/heads/main\\n\"
    //- cwd: repo
";

const BLANK: &str = "
    //- repo/.git/HEAD = \"ref: refs/heads/main\\n\"
    //- repo/AGENTS.md = \" \\n\\n\"
    //- cwd: repo
";

pub(super) fn sequences() -> Vec<Sequence> {
    [of_instructions(), of_surroundings(), of_turns(), of_compaction()].concat()
}

fn repo(name: &'static str) -> Sequence {
    Sequence::new(name, REPO)
}

fn of_instructions() -> Vec<Sequence> {
    vec![
        repo("nothing_changes_and_nothing_is_told").turn("one").turn("two").turn("three"),
        repo("an_edited_file_is_a_replacement")
            .turn("one")
            .write("repo/AGENTS.md", "edited rule\n")
            .turn("two")
            .turn("three"),
        repo("files_go_one_by_one_and_come_back")
            .turn("one")
            .remove("repo/AGENTS.md")
            .turn("two")
            .remove("home/AGENTS.md")
            .turn("three")
            .write("repo/AGENTS.md", "again\n")
            .turn("four")
            .write("home/AGENTS.md", "host again\n")
            .turn("five"),
        Sequence::new("a_file_that_comes_later_is_told_plainly", BARE)
            .turn("one")
            .write("repo/AGENTS.md", "added\n")
            .turn("two")
            .write("repo/AGENTS.md", "")
            .turn("three"),
        Sequence::new("a_blank_file_is_none", BLANK)
            .turn("one")
            .write("repo/AGENTS.md", "written\n")
            .turn("two")
            .write("repo/AGENTS.md", " \n\t\n")
            .turn("three"),
        repo("a_project_loses_trust_and_gets_it_back")
            .turn("one")
            .then(Step::Trust("untrusted"))
            .turn("two")
            .turn("three")
            .then(Step::Trust("trusted"))
            .turn("four"),
        repo("an_untrusted_project_says_nothing")
            .then(Step::Trust("untrusted"))
            .turn("one")
            .write("repo/AGENTS.md", "edited rule\n")
            .turn("two"),
        repo("developer_instructions_stand_in_the_first_context_only")
            .then(Step::Settings(&["developer_instructions=\"DEV\""]))
            .turn("one")
            .then(Step::Settings(&["developer_instructions=\"OTHER\""]))
            .turn("two"),
    ]
}

fn of_surroundings() -> Vec<Sequence> {
    vec![
        repo("another_directory_replaces_instructions_and_environment")
            .turn("one")
            .then(Step::Cwd("repo/sub"))
            .turn("two")
            .then(Step::Cwd("repo"))
            .turn("three"),
        repo("another_sandbox_tells_permissions_and_environment")
            .turn("one")
            .then(Step::Settings(&["sandbox_mode=\"read-only\""]))
            .turn("two")
            .turn("three")
            .then(Step::Settings(&[]))
            .turn("four"),
        repo("another_day_is_told_once")
            .then(Step::TimeZone("Pacific/Kiritimati"))
            .turn("one")
            .then(Step::TimeZone("Pacific/Pago_Pago"))
            .turn("two")
            .turn("three"),
        repo("several_changes_come_in_order")
            .turn("one")
            .write("repo/AGENTS.md", "edited rule\n")
            .write("home/skills/two/SKILL.md", "---\nname: two\ndescription: Second\n---\nTwo.\n")
            .then(Step::Settings(&["sandbox_mode=\"read-only\""]))
            .turn("two $two"),
    ]
}

fn of_turns() -> Vec<Sequence> {
    vec![
        repo("a_mentioned_skill_stands_after_the_message")
            .turn("use $greet please")
            .turn("no mention")
            .turn("$greet and $greet again"),
        repo("a_call_is_answered_and_the_model_goes_on")
            .answered("call", vec![calls("c1", "no_such_tool", "{}"), says("done")])
            .turn("two"),
        repo("calls_come_first_and_their_outputs_in_their_order")
            .with_calls(Calls::Run, "call", vec![echo("c1").and(echo("c2")), says("done")])
            .turn("two"),
        repo("a_call_that_was_cut_off_is_aborted")
            .with_calls(Calls::Killed, "call", vec![sleep("c1")])
            .turn("two")
            .turn("three"),
        repo("each_of_two_calls_is_aborted_where_it_stands")
            .with_calls(Calls::Killed, "call", vec![sleep("c1").and(sleep("c2"))])
            .turn("two"),
    ]
}

fn of_compaction() -> Vec<Sequence> {
    vec![
        repo("a_long_conversation_is_cut_down")
            .config("model_auto_compact_token_limit = 2000")
            .turn("one")
            .answered("two", vec![says("long").costing(5_000)])
            .answered("three", vec![says("SUMMARY"), says("ok")])
            .turn("four"),
        repo("it_is_cut_down_in_the_middle_of_a_turn")
            .config("model_auto_compact_token_limit = 2000")
            .turn("one")
            .with_calls(
                Calls::Run,
                "two",
                vec![echo("c1").costing(5_000), says("SUMMARY"), says("done")],
            )
            .turn("three"),
        repo("it_is_cut_down_twice_and_the_context_stands_once")
            .config("model_auto_compact_token_limit = 2000")
            .answered("one", vec![says("long").costing(5_000)])
            .answered("two", vec![says("SUMMARY ONE"), says("long").costing(5_000)])
            .answered("three", vec![says("SUMMARY TWO"), says("ok")])
            .turn("four"),
        repo("what_is_kept_of_long_messages_is_bounded")
            .config("model_auto_compact_token_limit = 50000")
            .turn("too old to be kept")
            .turn(&"an old one ".repeat(7_000))
            .answered(&"a new one ".repeat(4_000), vec![says("long").costing(60_000)])
            .answered("four", vec![says("SUMMARY"), says("ok")]),
        repo("an_edit_before_a_compaction_is_in_the_new_context")
            .config("model_auto_compact_token_limit = 2000")
            .answered("one", vec![says("long").costing(5_000)])
            .write("repo/AGENTS.md", "edited rule\n")
            .answered("two", vec![says("SUMMARY"), says("ok")])
            .write("repo/AGENTS.md", "edited again\n")
            .turn("three"),
    ]
}

/// A command that ends at once.
fn echo(id: &str) -> Reply {
    calls(id, "exec_command", r#"{"cmd":"echo one"}"#)
}

/// A command that is still running when the program is killed.
fn sleep(id: &str) -> Reply {
    calls(id, "exec_command", r#"{"cmd":"sleep 30"}"#)
}
