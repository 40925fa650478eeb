//! The proxy and the server behind it, started on free ports and ended with their test.

#![expect(clippy::disallowed_methods, reason = "programs are looked for where they are installed")]

use std::fs::File;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use libtest_mimic::Failed;

/// How long the proxy may take to start; it loads a hundred megabytes of Python.
const PATIENCE: Duration = Duration::from_mins(5);

/// The programs.
#[derive(Debug, Clone)]
pub(super) struct Programs {
    proxy: PathBuf,
    mock: PathBuf,
}

impl Programs {
    /// The programs, where both are installed.
    pub(super) fn installed() -> Option<Self> {
        let peer = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/peer");
        let programs = Self {
            proxy: peer.join("litellm/bin/litellm"),
            mock: peer.join("mock-llm/node_modules/.bin/mock-llm"),
        };
        (programs.proxy.is_file() && programs.mock.is_file()).then_some(programs)
    }
}

/// A proxy that answers to one key and knows one model, `mock`, which says again what it hears.
#[derive(Debug)]
pub(super) struct Proxy {
    pub(super) port: u16,
    children: [Child; 2],
}

impl Proxy {
    pub(super) fn start(programs: &Programs, key: &str, place: &Path) -> Result<Self, Failed> {
        let (port, mock_port) = (free_port()?, free_port()?);
        let config = format!(
            "model_list:\n  - model_name: mock\n    litellm_params:\n      model: deepseek/mock\n      \
             api_base: http://127.0.0.1:{mock_port}/v1\n      api_key: none\n\
             general_settings:\n  master_key: {key}\n"
        );
        std::fs::write(place.join("proxy.yaml"), config)?;
        let mut mock = Command::new(&programs.mock);
        mock.env("PORT", mock_port.to_string()).env("HOST", "127.0.0.1");
        let mut proxy = Command::new(&programs.proxy);
        proxy
            .args(["--config", "proxy.yaml", "--host", "127.0.0.1", "--port"])
            .arg(port.to_string());
        // Without it the proxy fetches a table of prices.
        proxy.env("LITELLM_LOCAL_MODEL_COST_MAP", "True").env("HOME", place);
        let log = |name: &str| File::create(place.join(name));
        let start = |command: &mut Command, log: File| {
            command
                .current_dir(place)
                .stdin(Stdio::null())
                .stdout(log.try_clone()?)
                .stderr(log)
                .spawn()
        };
        let mock = start(&mut mock, log("mock.log")?)?;
        let mut this = Self { port, children: [mock, start(&mut proxy, log("proxy.log")?)?] };
        this.wait_until_it_answers(&place.join("proxy.log"))?;
        Ok(this)
    }

    fn wait_until_it_answers(&mut self, log: &Path) -> Result<(), Failed> {
        let begun = Instant::now();
        while !is_live(self.port) {
            let has_ended = self.children[1].try_wait()?.is_some();
            if has_ended || begun.elapsed() > PATIENCE {
                let log = std::fs::read_to_string(log).unwrap_or_default();
                return Err(format!("the proxy does not start:\n{log}").into());
            }
            thread::sleep(Duration::from_millis(200));
        }
        Ok(())
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        for child in &mut self.children {
            // One that has ended already is no trouble.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn free_port() -> std::io::Result<u16> {
    Ok(TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port())
}

fn is_live(port: u16) -> bool {
    let ask = || -> std::io::Result<String> {
        let mut stream = TcpStream::connect(("127.0.0.1", port))?;
        stream.write_all(
            b"GET /health/liveliness HTTP/1.1\r\nhost: proxy\r\nconnection: close\r\n\r\n",
        )?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        Ok(answer)
    };
    ask().is_ok_and(|answer| answer.starts_with("HTTP/1.1 200"))
}
