//! What the system may interrupt the program with.

use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::thread;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::iterator::Signals;
use signal_hook::{flag, low_level};

/// Makes a file that may not grow an error of the write that hits the limit; it would end the program otherwise.
///
/// The signal gets a handler and is not ignored, for programs that are started from here would go on ignoring it.
pub(crate) fn outlive_file_limits() {
    // Where that is refused the system's own way stands.
    let _ = flag::register(SIGXFSZ, Arc::default());
}

/// Makes whoever interrupts the program find a clean terminal and nothing unfinished.
///
/// `clean_up` runs on a thread of its own; the program ends then as one that was interrupted, with nothing said.
/// Whoever interrupts it from here on finds that thread waiting.
pub(crate) fn end_cleanly(clean_up: impl Fn() + Send + 'static) {
    let (waits, is_waiting) = channel();
    let wait = move || {
        let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGHUP]) else { return };
        let _ = waits.send(());
        for signal in signals.forever() {
            clean_up();
            let mut stderr = io::stderr();
            if stderr.is_terminal() {
                let _ = stderr.write_all(b"\r\x1b[2K");
            }
            let _ = low_level::emulate_default_handler(signal);
        }
    };
    // Where there is no thread nothing was registered, and the system's own way stands.
    if thread::Builder::new().name("signals".to_owned()).spawn(wait).is_ok() {
        // It hangs up where it cannot wait.
        let _ = is_waiting.recv();
    }
}
