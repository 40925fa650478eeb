//! Markers of the engine inside a text.

use pretty_assertions::assert_eq;
use recto_core::context::markers_within;

fn found(text: &str) -> Vec<(&'static str, usize)> {
    markers_within(text).into_iter().map(|it| (it.marker, it.line)).collect()
}

#[test]
fn plain_text_holds_no_marker() {
    assert_eq!(found("# Instructions\n\nUse `<environment>` and <skills>.\n"), []);
    assert_eq!(found(""), []);
}

#[test]
fn each_marker_is_told_once_with_its_first_line_whatever_its_case() {
    let text = "a\n</Instructions> b\n<TURN_aborted>\n</instructions>";
    assert_eq!(found(text), [("</INSTRUCTIONS>", 2), ("<turn_aborted>", 3)]);
}
