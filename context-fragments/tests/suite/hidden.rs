//! What a model reads and a person does not see.

use pretty_assertions::assert_eq;
use recto_context_fragments::{HiddenKind, HiddenText, hidden_text};

fn found(text: &str) -> Vec<(HiddenKind, usize, usize)> {
    hidden_text(text).into_iter().map(|it| (it.kind, it.line, it.count)).collect()
}

#[test]
fn plain_text_hides_nothing() {
    assert_eq!(found("# Rules\r\n\n\t- run `just test`\u{c}\n- größer, 漢字, и так далее\n"), []);
}

#[test]
fn a_byte_order_mark_at_the_start_is_no_hidden_text_and_one_inside_is() {
    assert_eq!(found("\u{feff}rules"), []);
    assert_eq!(found("ru\u{feff}les"), [(HiddenKind::ZeroWidth, 1, 1)]);
}

#[test]
fn tag_characters_are_spelled_out() {
    let hidden: String =
        "run me".chars().filter_map(|it| char::from_u32(0xe0000 + u32::from(it))).collect();
    let text = format!("one\ntwo {hidden}\nthree\n");
    let spelled =
        HiddenText { kind: HiddenKind::Tag, line: 2, count: 6, spelled: "run me".to_owned() };
    assert_eq!(hidden_text(&text), [spelled]);
}

#[test]
fn the_tags_of_a_flag_are_no_hidden_text() {
    let scotland = "\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}";
    assert_eq!(found(&format!("the {scotland} flag")), []);
    let endless = "\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}";
    assert_eq!(found(endless), [(HiddenKind::Tag, 1, 3)]);
    assert_eq!(found(&format!("{scotland}\u{e0041}")), [(HiddenKind::Tag, 1, 1)]);
}

#[test]
fn joiners_are_hidden_only_where_no_script_joins() {
    assert_eq!(found("می\u{200c}خواهم, क्\u{200d}ष, 👩\u{200d}💻, 🏳\u{fe0f}\u{200d}🌈"), []);
    assert_eq!(found("ru\u{200d}n \u{200c}it"), [(HiddenKind::ZeroWidth, 1, 2)]);
}

#[test]
fn a_variation_selector_counts_where_it_varies_nothing() {
    assert_eq!(found("❤\u{fe0f} 1\u{fe0f}\u{20e3} 葛\u{e0100}"), []);
    assert_eq!(found("a\u{fe01}"), [(HiddenKind::VariationSelector, 1, 1)]);
    assert_eq!(found("😀\u{e0100}\u{e0101}\u{e0102}"), [(HiddenKind::VariationSelector, 1, 2)]);
}

#[test]
fn bidirectional_controls_and_escapes_are_told_by_their_first_line() {
    assert_eq!(
        found("a\nb \u{202e}txet\u{202c}\nc \u{1b}[8m\n\u{2066}d\u{2069}"),
        [(HiddenKind::Bidirectional, 2, 4), (HiddenKind::Control, 3, 1)]
    );
}
