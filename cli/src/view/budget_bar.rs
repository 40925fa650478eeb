//! How much of the budget is spent, as a bar.

use super::layout::{approximately, grouped};
use super::palette::{FAULT, NOTICE, PROJECT, QUIET, paint};

/// Cells of the bar.
const CELLS: usize = 40;

/// The bar and, below it, its numbers: `24,000 of 32,768 bytes, 8,768 left (≈2,192 tokens)`.
pub(crate) fn render(spent: u64, budget: u64) -> Vec<String> {
    if budget == 0 {
        return vec!["project_doc_max_bytes is 0: no project doc is read".to_owned()];
    }
    let style = match share(spent, budget, 100) {
        0..75 => PROJECT,
        75..100 => NOTICE,
        _ => FAULT,
    };
    let filled = cells(spent, budget);
    let full = paint(style, "█".repeat(filled));
    let empty = paint(QUIET, "░".repeat(CELLS - filled));
    let left = budget.saturating_sub(spent);
    let tokens = approximately(usize::try_from(left / 4).unwrap_or(usize::MAX));
    vec![
        format!("{full}{empty} {}", percent(spent, budget)),
        format!(
            "{} of {} bytes, {} left ({tokens} tokens)",
            grouped(spent),
            grouped(budget),
            grouped(left)
        ),
    ]
}

/// A share of the budget in words: only a full one says 100, and only an empty one 0.
pub(crate) fn percent(part: u64, budget: u64) -> String {
    match share(part, budget, 100) {
        0 if part > 0 => "<1%".to_owned(),
        percent => format!("{percent}%"),
    }
}

/// Any spending shows, and only a full budget fills the bar.
fn cells(spent: u64, budget: u64) -> usize {
    let cells = share(spent, budget, CELLS as u64).max(u64::from(spent > 0));
    usize::try_from(cells).unwrap_or(CELLS)
}

fn share(part: u64, whole: u64, of: u64) -> u64 {
    let share = u128::from(part) * u128::from(of) / u128::from(whole.max(1));
    u64::try_from(share).unwrap_or(of).min(of)
}
