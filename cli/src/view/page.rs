//! A text that grows line by line.

use std::fmt::Display;

/// What a person looks at, from the top.
#[derive(Debug, Default)]
pub(crate) struct Page(String);

impl Page {
    /// Adds a line.
    pub(crate) fn line(&mut self, text: impl Display) {
        self.0.push_str(&text.to_string());
        self.0.push('\n');
    }

    /// Adds a line that is indented and has no spaces at its end.
    pub(crate) fn indented(&mut self, columns: usize, text: impl Display) {
        self.0.push_str(&" ".repeat(columns));
        self.line(text);
    }

    /// Adds an empty line.
    pub(crate) fn gap(&mut self) {
        self.0.push('\n');
    }

    /// Adds a text of any number of lines; it ends with one newline at least.
    pub(crate) fn block(&mut self, text: &str) {
        self.0.push_str(text);
        if !text.ends_with('\n') {
            self.0.push('\n');
        }
    }

    /// Adds another page.
    pub(crate) fn page(&mut self, page: &Self) {
        self.0.push_str(&page.0);
    }

    /// Whether nothing stands on it.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl From<Page> for String {
    fn from(page: Page) -> Self {
        page.0
    }
}
