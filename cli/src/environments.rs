//! Environments on the command line: what `--env` and `--env-cwd` say becomes settings.

use std::time::Duration;

use recto_core::config::EnvironmentConfig;
use recto_core::environment::{
    EnvironmentId, SftpCommand, SftpLimits, StartingEnvironment, TurnEnvironmentSelection,
    start_sftp,
};

/// The shell of an environment where nobody named one.
const SHELL: &str = "sh";

/// How long a run waits for environments; those that are allowed to take longer are told as starting.
pub(crate) const LONGEST_WAIT: Duration = Duration::from_secs(15);

/// `NAME=COMMAND` as a setting; the words of the command are split as a shell does it.
pub(crate) fn command(typed: &str) -> Result<String, String> {
    let (name, command) = named(typed, "COMMAND")?;
    let words = shlex::split(command).ok_or("a quote in the command is not closed")?;
    let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    Ok(format!("environments.{name}.command=[{}]", words.join(", ")))
}

/// `NAME=DIR` as a setting.
pub(crate) fn cwd(typed: &str) -> Result<String, String> {
    let (name, directory) = named(typed, "DIR")?;
    Ok(format!("environments.{name}.cwd={}", quoted(directory)))
}

fn named<'t>(typed: &'t str, what: &str) -> Result<(&'t str, &'t str), String> {
    let (name, value) = typed.split_once('=').ok_or_else(|| format!("expected NAME={what}"))?;
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "_-".contains(letter);
    if name.is_empty() || !name.chars().all(is_plain) {
        return Err("a name has letters, digits, `-` and `_`".to_owned());
    }
    Ok((name, value))
}

/// A text of TOML; it quotes as JSON does, but for DEL.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string().replace('\u{7f}', "\\u007f")
}

/// Starts what is configured, in the background.
pub(crate) fn start(config: &EnvironmentConfig) -> StartingEnvironment {
    let selection = TurnEnvironmentSelection {
        environment_id: EnvironmentId::new(&config.name),
        cwd: config.cwd.clone(),
    };
    let limits = SftpLimits::default();
    let command = SftpCommand {
        command: config.command.iter().map(Into::into).collect(),
        shell: config.shell.clone().unwrap_or_else(|| SHELL.to_owned()),
        limits: SftpLimits { start: config.startup_timeout.unwrap_or(limits.start), ..limits },
    };
    start_sftp(selection, command)
}
