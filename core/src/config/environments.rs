//! Other places where files are read for the model, beside this machine.

use std::path::PathBuf;
use std::time::Duration;

use super::mismatch::Mismatch;
use super::names::dotted;
use super::value::{Item, Table, Value, get, get_natural, get_table, get_text, get_texts};

/// The name of this machine, which needs no entry.
const LOCAL: &str = "local";

/// One environment that a command leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnvironmentConfig {
    /// Its name.
    pub name: String,
    /// What speaks SFTP on its standard streams: a program and its arguments, at least the program.
    pub command: Vec<String>,
    /// The directory there; absolute.
    pub cwd: PathBuf,
    /// The name of the shell there, where somebody said.
    pub shell: Option<String>,
    /// How long it may take until it is ready, where somebody said.
    pub startup_timeout: Option<Duration>,
}

/// Reads the table `environments`, in the order of the names.
pub(super) fn environments(settings: &Table) -> Result<Vec<EnvironmentConfig>, Mismatch> {
    let entries = get_table(settings, &["environments"]).into_iter().flatten();
    entries.filter_map(|(name, item)| environment(name, item).transpose()).collect()
}

fn environment(name: &str, item: &Item) -> Result<Option<EnvironmentConfig>, Mismatch> {
    let Value::Table(table) = &item.value else { return Ok(None) };
    if name == LOCAL {
        let expected = "a name other than `local`, which is this machine".to_owned();
        let found = format!("`{name}`");
        return Err(Mismatch { found, ..Mismatch::new("environments".into(), item, expected) });
    }
    let wrong = |key: &str, expected: &str| {
        let value = get(table, &[key]);
        let found = value.map_or_else(|| "nothing".to_owned(), |it| it.value.describe());
        let key = dotted(&["environments", name, key]);
        Mismatch { found, ..Mismatch::new(key, value.unwrap_or(item), expected.to_owned()) }
    };
    let words = get_texts(table, &["command"]).unwrap_or_default();
    let command: Vec<String> = words.into_iter().map(|(word, _)| word.to_owned()).collect();
    if command.is_empty() {
        return Err(wrong("command", "a list that starts with a program"));
    }
    let cwd = get_text(table, &["cwd"]).map(PathBuf::from).filter(|cwd| cwd.is_absolute());
    let cwd = cwd.ok_or_else(|| wrong("cwd", "the absolute path of a directory there"))?;
    Ok(Some(EnvironmentConfig {
        name: name.to_owned(),
        command,
        cwd,
        shell: get_text(table, &["shell"]).map(str::to_owned),
        startup_timeout: get_natural(table, &["startup_timeout_sec"]).map(Duration::from_secs),
    }))
}
