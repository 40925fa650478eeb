//! Values from outside: their keys, their tags, which of them are sent, and how much of them.

use pretty_assertions::assert_eq;
use recto_context_fragments::{
    AdditionalContext, AdditionalContextError, AdditionalContextFragment, AdditionalContextKey,
    AdditionalContextKind, AdditionalContextValue, ContextualUserFragment,
};
use recto_protocol::Role;

use AdditionalContextKind::{Application, Untrusted};

fn key(key: &str) -> AdditionalContextKey {
    AdditionalContextKey::new(key).expect("the test uses good keys")
}

fn context(values: &[(&str, AdditionalContextKind, &str)]) -> AdditionalContext {
    let mut context = AdditionalContext::default();
    for (name, kind, text) in values {
        context.insert(key(name), AdditionalContextValue { kind: *kind, text: (*text).to_owned() });
    }
    context
}

fn told<'a>(fragments: impl Iterator<Item = AdditionalContextFragment<'a>>) -> Vec<(Role, String)> {
    fragments.map(|it| (it.role(), it.render())).collect()
}

#[test]
fn who_vouches_for_a_value_decides_its_role_and_its_tag() {
    let context = context(&[("page", Untrusted, "<b>&"), ("plan", Application, "step 1\n")]);
    assert_eq!(
        told(context.fragments()),
        [
            (Role::User, "<external_page><b>&</external_page>".to_owned()),
            (Role::Developer, "<plan>step 1\n</plan>".to_owned()),
        ]
    );
}

#[test]
fn a_key_that_would_break_its_tag_is_refused() {
    for good in ["a", "_", "A.b-c_9", &"k".repeat(64)] {
        assert_eq!(key(good).as_str(), good);
    }
    let refusal = |text: &str| AdditionalContextKey::new(text).map(|it| it.to_string());
    let bad = |text: &str, character| {
        Err(AdditionalContextError::BadKey { key: text.to_owned(), character })
    };
    assert_eq!(refusal(""), Err(AdditionalContextError::EmptyKey));
    assert_eq!(refusal(&"k".repeat(65)), Err(AdditionalContextError::LongKey { length: 65 }));
    for (text, character) in [
        ("a b", ' '),
        ("a>", '>'),
        ("a<b", '<'),
        ("/a", '/'),
        ("ä", 'ä'),
        ("a\n", '\n'),
        ("a\0", '\0'),
        ("9a", '9'),
        ("-a", '-'),
        (".a", '.'),
    ] {
        assert_eq!(refusal(text), bad(text, character));
    }
    insta::assert_snapshot!(AdditionalContextKey::new("a b").unwrap_err(), @"context key `a b`: ' ' cannot stand there (ASCII letters, digits, `_`, `-`, `.`; first a letter or `_`)");
}

#[test]
fn values_are_told_sorted_by_key() {
    let context = context(&[("b", Untrusted, "2"), ("a", Application, "1"), ("C", Untrusted, "0")]);
    let keys: Vec<String> = context.fragments().map(|it| it.key().to_string()).collect();
    assert_eq!(keys, ["C", "a", "b"]);
}

#[test]
fn only_what_changed_is_told_again() {
    let before = context(&[("a", Untrusted, "1"), ("b", Untrusted, "2"), ("c", Untrusted, "3")]);
    let now = context(&[
        ("a", Untrusted, "1"),
        ("b", Untrusted, "changed"),
        ("c", Application, "3"),
        ("d", Untrusted, ""),
    ]);
    let keys = |changed: Vec<AdditionalContextFragment<'_>>| -> Vec<String> {
        changed.iter().map(|it| it.key().to_string()).collect()
    };
    assert_eq!(keys(now.changed_since(&before).collect()), ["b", "c", "d"]);
    assert_eq!(keys(now.changed_since(&now).collect()), Vec::<String>::new());
    assert_eq!(keys(now.changed_since(&AdditionalContext::default()).collect()).len(), 4);
    assert!(AdditionalContext::default().is_empty());
}

#[test]
fn a_value_keeps_a_thousand_tokens_half_of_them_from_each_end() {
    let cut = |text: String| {
        let context = context(&[("k", Application, &text)]);
        context.fragments().map(|it| it.body()).collect::<String>()
    };
    let whole = "x".repeat(4_000);
    assert_eq!(cut(whole.clone()), whole);
    let text = format!("{}{}{}", "a".repeat(2_000), "b".repeat(1_001), "c".repeat(2_000));
    assert_eq!(
        cut(text),
        format!("{}…251 tokens truncated…{}", "a".repeat(2_000), "c".repeat(2_000))
    );
}

#[test]
fn b65_a_value_that_holds_its_end_marker_stays_as_it_is_and_is_pointed_out() {
    let context = context(&[
        ("k", Untrusted, "a</external_K>b"),
        ("l", Application, "</external_l>"),
        ("m", Application, "a</m>b"),
    ]);
    let pointed_out: Vec<bool> = context.fragments().map(|it| it.holds_its_end_marker()).collect();
    assert_eq!(pointed_out, [true, false, true]);
    let text = context.fragments().next().unwrap().render();
    assert_eq!(text, "<external_k>a</external_K>b</external_k>");
    assert!(AdditionalContextFragment::matches_text(&text));
}

#[test]
fn b48_only_the_same_key_on_both_ends_makes_a_value_from_outside() {
    for (text, expected) in [
        ("<external_a>x</external_a>", true),
        (" <EXTERNAL_a>x</external_A>\n", true),
        ("<external_a></external_a>", true),
        ("<external_a>x</external_b>", false),
        ("<external_>x</external_>", false),
        ("<external>x</external>", false),
        ("<external_a>", false),
        ("</external_a>", false),
        ("<external_a></external_a", false),
        ("<external_a/external_a>", false),
        ("<external_ab>x</external_b>", false),
        ("<external_a b>x</external_a b>", false),
        ("<external_9-.>x</external_9-.>", true),
        ("<external_é>x</external_é>", false),
        ("<external_a>x</external_a> and more", false),
        ("<task>Review module</task>", false),
        ("<INSTRUCTIONS>x</INSTRUCTIONS>", false),
        ("<skills>x</skills>", false),
        ("<é>", false),
        ("<>", false),
        ("", false),
    ] {
        assert_eq!(AdditionalContextFragment::matches_text(text), expected, "{text}");
    }
}

#[test]
fn an_application_value_is_not_recognized_by_its_text() {
    let context = context(&[("task", Application, "x")]);
    let text = context.fragments().map(|it| it.render()).collect::<String>();
    assert!(!AdditionalContextFragment::matches_text(&text));
}
