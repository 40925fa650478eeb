//! What people and programs look at: captured facts become text and documents.

pub(crate) mod answer;
pub(crate) mod belief;
pub(crate) mod belief_json;
pub(crate) mod budget_bar;
pub(crate) mod diagnostics;
pub(crate) mod item_words;
pub(crate) mod json;
pub(crate) mod layout;
pub(crate) mod moment;
pub(crate) mod names;
pub(crate) mod outcome;
pub(crate) mod page;
pub(crate) mod palette;
pub(crate) mod prompt_json;
pub(crate) mod prompt_text;
pub(crate) mod recorded_prompt;
pub(crate) mod report;
pub(crate) mod report_json;
pub(crate) mod section_words;
pub(crate) mod session_head;
pub(crate) mod session_list;
pub(crate) mod skipped;
pub(crate) mod source_table;
pub(crate) mod sources;
pub(crate) mod transcript;
pub(crate) mod transcript_json;
