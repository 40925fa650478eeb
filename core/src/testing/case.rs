//! Files of many fixtures, each with a name and the rules that it holds.

use super::fixture::{Fixture, lines};

/// One case of a case file.
///
/// It starts with `=== name`, then header lines, then the directives of its [`Fixture`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    /// Its name, the only one of this kind in its file.
    pub name: String,
    /// `rule:` the rules that it holds, a sentence each.
    pub rules: Vec<String>,
    /// `compare:` names of what is compared; empty where the case does not say.
    pub compare: Vec<String>,
    /// `differs:` the wanted difference from the reference, by its short id.
    pub differs: Option<String>,
    /// The tree and how the program is started in it.
    pub fixture: Fixture,
}

impl Case {
    /// Reads all cases of a file; lines before the first case are for people and start with `#`.
    ///
    /// # Panics
    ///
    /// Where the text is malformed; the message holds the case and the line.
    pub fn parse_file(text: &str) -> Vec<Self> {
        let lines = lines(text);
        let starts: Vec<usize> =
            (0..lines.len()).filter(|&at| lines[at].starts_with("=== ")).collect();
        let preface = &lines[..starts.first().copied().unwrap_or(lines.len())];
        if let Some(stray) = preface.iter().find(|it| !it.starts_with('#') && !it.is_empty()) {
            panic!("malformed case file: a line before the first case: {stray}");
        }
        let ends = starts.iter().skip(1).copied().chain([lines.len()]);
        let mut cases: Vec<Self> = Vec::new();
        for (start, end) in starts.iter().copied().zip(ends) {
            let name = lines[start]["=== ".len()..].trim();
            let case = Self::from_lines(name, &lines[start + 1..end])
                .unwrap_or_else(|problem| panic!("malformed case {name}: {problem}"));
            assert!(cases.iter().all(|it| it.name != name), "malformed case {name}: it is twice");
            cases.push(case);
        }
        cases
    }

    fn from_lines(name: &str, lines: &[&str]) -> Result<Self, String> {
        let directives =
            lines.iter().position(|line| line.starts_with("//- ")).ok_or("no directives")?;
        let (header, directives) = lines.split_at(directives);
        let mut case = Self {
            name: name.to_owned(),
            rules: Vec::new(),
            compare: Vec::new(),
            differs: None,
            fixture: Fixture::from_lines(directives)?,
        };
        for line in header.iter().filter(|line| !line.trim().is_empty()) {
            let (key, value) = line.split_once(':').unwrap_or((line, ""));
            let value = value.trim();
            match key {
                "rule" => case.rules.push(value.to_owned()),
                "compare" => case.compare.extend(value.split_whitespace().map(str::to_owned)),
                "differs" => case.differs = Some(value.to_owned()),
                _ => return Err(format!("an unknown header line: {line}")),
            }
        }
        Ok(case)
    }
}
