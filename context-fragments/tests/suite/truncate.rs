//! Cuts in the middle.

use pretty_assertions::assert_eq;
use proptest::prelude::*;
use recto_context_fragments::{approximate_tokens, truncate_head, truncate_middle};

#[test]
fn four_bytes_are_a_token_rounded_up() {
    let tokens = [0, 1, 4, 5, 8].map(approximate_tokens);
    assert_eq!(tokens, [0, 1, 1, 2, 2]);
    assert_eq!(approximate_tokens(usize::MAX), usize::MAX / 4 + 1);
}

#[test]
fn what_fits_is_left_alone() {
    assert_eq!(truncate_middle("12345678", 2), "12345678");
    assert_eq!(truncate_middle("", 0), "");
    assert_eq!(truncate_middle("any text", usize::MAX), "any text");
}

#[test]
fn half_of_the_budget_is_kept_from_each_end() {
    assert_eq!(truncate_middle("123456789", 2), "1234…1 tokens truncated…6789");
    assert_eq!(
        truncate_middle(&"x".repeat(4_005), 1_000).len(),
        4_000 + "…2 tokens truncated…".len()
    );
    assert_eq!(truncate_middle("12345", 0), "…2 tokens truncated…");
}

#[test]
fn b60_a_cut_never_splits_a_character_and_keeps_head_and_tail() {
    assert_eq!(truncate_middle("€€€€", 1), "…2 tokens truncated…");
    assert_eq!(truncate_middle("€€€€", 2), "€…1 tokens truncated…€");
    let lines = [200_000; 3].map(|bytes| "l".repeat(bytes)).join("\n");
    let one_line = format!("start{}the error", "😀".repeat(150_000));
    for text in [&lines, &one_line] {
        let cut = truncate_middle(text, 100);
        assert!(cut.starts_with(&text[..5]) && cut.ends_with(&text[text.len() - 9..]), "{cut}");
    }
}

#[test]
fn the_head_keeps_whole_characters() {
    assert_eq!(truncate_head("a€b", 4), "a€");
    assert_eq!(truncate_head("a€b", 3), "a");
    assert_eq!(truncate_head("a€b", 0), "");
    assert_eq!(truncate_head("a€b", 100), "a€b");
}

proptest! {
    /// The oracle works on characters, from both ends.
    #[test]
    fn a_cut_keeps_what_fits_from_both_ends(text in "[a€😀\n]{0,60}", tokens in 0_usize..20) {
        let budget = tokens * 4;
        let cut = truncate_middle(&text, tokens);
        if text.len() <= budget {
            prop_assert_eq!(&cut, &text);
            return Ok(());
        }
        let mut head = String::new();
        for character in text.chars() {
            if head.len() + character.len_utf8() > budget / 2 { break }
            head.push(character);
        }
        let mut tail = String::new();
        for character in text.chars().rev() {
            if tail.len() + character.len_utf8() > budget - budget / 2 { break }
            tail.insert(0, character);
        }
        let removed = (text.len() - budget).div_ceil(4);
        prop_assert_eq!(cut, format!("{head}…{removed} tokens truncated…{tail}"));
    }

    /// What is made is bounded by the budget alone, so what it costs is too: the text is looked at at two places.
    #[test]
    fn what_a_cut_makes_follows_the_budget(repeat in 1_usize..20_000, tokens in 0_usize..200) {
        let text = "a€".repeat(repeat);
        let cut = truncate_middle(&text, tokens);
        prop_assert!(cut.len() <= tokens * 4 + "…18446744073709551615 tokens truncated…".len());
    }
}
