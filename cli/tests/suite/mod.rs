mod command;
mod explain;
mod explain_path;
mod faults;
mod prompt;
mod tidy;
mod usage;
mod workspace;
