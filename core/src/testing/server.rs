//! The SFTP server that tests speak to: the one of OpenSSH, on pipes.

#![expect(clippy::disallowed_methods, reason = "tests look for a program of this machine")]

use std::env;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use tokio::runtime::{Handle, Runtime};

use super::hosted::HostedFileSystem;
use crate::environment::{
    EnvironmentId, FileSystem, SftpCommand, SftpLimits, TurnEnvironmentSelection, start_sftp,
};

/// Names another server.
const SERVER: &str = "RECTO_SFTP_SERVER";

/// Where distributions put it.
const PLACES: [&str; 3] = [
    "/usr/lib/openssh/sftp-server",
    "/usr/libexec/openssh/sftp-server",
    "/usr/lib/ssh/sftp-server",
];

/// The SFTP server of this machine, where there is one.
pub fn sftp_server() -> Option<PathBuf> {
    let named = env::var_os(SERVER).map(PathBuf::from);
    named.or_else(|| PLACES.iter().map(PathBuf::from).find(|place| place.is_file()))
}

/// This machine's files, by its SFTP server; one connection for the whole process.
///
/// # Panics
///
/// Where there is no server, or it does not come up.
pub(super) fn sftp_file_system() -> Arc<dyn FileSystem> {
    static CONNECTION: OnceLock<(Arc<dyn FileSystem>, Handle)> = OnceLock::new();
    let (inner, runtime) = CONNECTION.get_or_init(|| {
        let (done, answer) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let runtime = runtime();
            let handle = runtime.handle().clone();
            let file_system = runtime.block_on(connect());
            done.send((file_system, handle)).expect("a test waits for it");
            // The connection lives as long as the process.
            runtime.block_on(std::future::pending::<()>());
        });
        answer.recv().expect("the server of the tests comes up")
    });
    Arc::new(HostedFileSystem::new(Arc::clone(inner), runtime.clone()))
}

fn runtime() -> Runtime {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
    runtime.expect("a runtime needs nothing special")
}

async fn connect() -> Arc<dyn FileSystem> {
    let server = sftp_server().unwrap_or_else(|| {
        panic!("there is no SFTP server: apt-get install openssh-sftp-server, or set {SERVER}")
    });
    let selection =
        TurnEnvironmentSelection { environment_id: EnvironmentId::new("sftp"), cwd: "/".into() };
    let command = SftpCommand {
        command: vec![server.into()],
        shell: "sh".to_owned(),
        limits: SftpLimits::default(),
    };
    let started = start_sftp(selection, command).started.await;
    let environment = started.expect("it answers").expect("the server speaks SFTP");
    Arc::clone(&environment.file_system)
}
