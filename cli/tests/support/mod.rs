//! A provider of models on the loopback address, for tests and measurements that run whole programs.

mod answer;
mod server;

pub(crate) use answer::{Answer, message};
pub(crate) use server::Server;
