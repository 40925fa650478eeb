//! The program `recto`; everything is in the library beside it.

use std::process::ExitCode;

fn main() -> ExitCode {
    recto_cli::run(std::env::args_os())
}
