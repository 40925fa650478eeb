//! `recto exec` and `recto resume` against a provider on the loopback address.

mod cache;
mod events;
mod faults;
mod input;
mod options;
mod people;
mod served;
mod stop;
mod tools;
