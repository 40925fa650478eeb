//! For which sources of an event a hook runs; each case was tried with the reference.

use insta::assert_snapshot;
use pretty_assertions::assert_eq;
use recto_core::config::HookMatcher;

#[test]
fn a_matcher_is_whole_names_with_bars_or_a_pattern_as_in_the_reference() {
    let cases = [
        ("", true),
        ("*", true),
        ("startup", true),
        ("resume|startup", true),
        ("startup||resume", true),
        ("|startup", true),
        ("|", false),
        ("|resume", false),
        ("STARTUP", false),
        ("start", false),
        ("start|", false),
        ("start|A1", false),
        ("start|a_b", false),
        ("start|a-b", true),
        ("start|a b", true),
        ("start|a,b", true),
        ("start|é", true),
        ("start|a\nb", true),
        (" ", false),
        ("  * ", false),
        (" startup", false),
        ("startup ", false),
        ("startup | resume", false),
        (".*", true),
        ("up$", true),
        ("tart.p", true),
        ("^startup$", true),
        ("^tartup", false),
        ("[s]tart", true),
        ("\\bstart", true),
        ("\\w{7}", true),
        ("(?i)STARTUP", true),
        ("(?i)ſtartup", true),
        ("(?x) start up", true),
        ("start|\\p{Greek}", true),
    ];
    for (text, expected) in cases {
        let matcher = HookMatcher::new(text).expect("a matcher");
        assert_eq!(matcher.matches("startup"), expected, "{text:?}");
    }
}

#[test]
fn what_is_no_pattern_is_no_matcher_and_the_error_says_why() {
    let texts = [
        "(",
        "start|(",
        "**",
        "*|startup",
        "startup|*",
        "start(?=up)",
        "x{1000}{1000}{1000}|startup",
    ];
    let lines = texts.map(|text| match HookMatcher::new(text) {
        Ok(_) => format!("{text} is a matcher"),
        Err(error) => format!("{text} {error}"),
    });
    assert_snapshot!(lines.join("\n"), @"
    ( it is no regular expression: unclosed group
    start|( it is no regular expression: unclosed group
    ** it is no regular expression: repetition operator missing expression
    *|startup it is no regular expression: repetition operator missing expression
    startup|* it is no regular expression: repetition operator missing expression
    start(?=up) it is no regular expression: look-around, including look-ahead and look-behind, is not supported
    x{1000}{1000}{1000}|startup it is no regular expression: it takes more than 10485760 bytes
    ");
}
