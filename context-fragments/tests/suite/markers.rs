//! A text is a fragment when the whole of it stands between the markers.

use pretty_assertions::assert_eq;
use recto_context_fragments::Markers;

const TAG: Markers = Markers::new("<tag>", "</tag>");
const ENVIRONMENT: Markers = Markers::new("<environment_context>", "</environment_context>");
const AGENTS_MD: Markers = Markers::new("# AGENTS.md instructions", "</INSTRUCTIONS>");

#[track_caller]
fn check(markers: Markers, text: &str, expected: bool) {
    assert_eq!(markers.matches(text), expected, "{text:?}");
}

#[test]
fn the_text_starts_and_ends_with_the_pair() {
    check(TAG, "<tag>x</tag>", true);
    check(TAG, "<tag></tag>", true);
    check(TAG, "<tag>x", false);
    check(TAG, "x</tag>", false);
    check(TAG, "a <tag>x</tag>", false);
    check(TAG, "<tag>x</tag> b", false);
    check(TAG, "", false);
}

#[test]
fn white_space_around_and_the_case_of_ascii_letters_do_not_count() {
    check(TAG, " \n\t\u{a0}<tag>x</tag>\r\n\u{3000}", true);
    check(TAG, "<TAG>x</Tag>", true);
    check(Markers::new("<ß>", "</ß>"), "<ß>x</ß>", true);
    check(Markers::new("<ß>", "</ß>"), "<SS>x</SS>", false);
    check(Markers::new("<k>", "</k>"), "<\u{212a}>x</\u{212a}>", false);
    check(TAG, "\u{feff}<tag>x</tag>", false);
    check(TAG, "< tag>x</tag>", false);
}

#[test]
fn the_pair_shares_no_byte() {
    let both = Markers::new("<a>", "<a>");
    check(both, "<a>", false);
    check(both, "<a><a>", true);
    let overlapping = Markers::new("abc", "cde");
    check(overlapping, "abcde", false);
    check(overlapping, "abccde", true);
}

#[test]
fn characters_of_several_bytes_at_the_markers_do_no_harm() {
    check(TAG, "€€€€€€€", false);
    check(TAG, "<tag€</tag>", false);
    check(TAG, "<tag>€</tag>", true);
    check(Markers::new("€", "€"), "€", false);
    check(Markers::new("€", "€"), "€€", true);
}

#[test]
fn without_markers_nothing_matches() {
    for text in ["", " ", "x", "<tag></tag>"] {
        check(Markers::NONE, text, false);
    }
}

#[test]
fn b46_one_marker_alone_is_what_somebody_typed() {
    check(ENVIRONMENT, "<environment_context> what does this tag do?", false);
    check(ENVIRONMENT, "see </environment_context> above", false);
}

#[test]
fn b65_a_closing_marker_inside_does_not_end_the_fragment() {
    check(
        AGENTS_MD,
        "# AGENTS.md instructions for /r\n\n<INSTRUCTIONS>\na\n</INSTRUCTIONS>\nb\n</INSTRUCTIONS>",
        true,
    );
    check(TAG, "<tag>a</tag>b</tag>", true);
}

#[test]
fn b06_a_byte_order_mark_inside_does_not_hide_the_fragment() {
    check(
        AGENTS_MD,
        "# AGENTS.md instructions\n\n<INSTRUCTIONS>\n\u{feff}# Rules\r\nx\r\n\n</INSTRUCTIONS>",
        true,
    );
}
