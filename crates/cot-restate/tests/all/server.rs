//! A Restate server in its own folder.

use std::{
    fs,
    io::Write,
    net::TcpListener,
    path::PathBuf,
    process::{Child, Command, Stdio},
    sync::{
        Once,
        atomic::{AtomicU16, AtomicU32, Ordering},
    },
};

use reqwest::Client;

use crate::world::until;

/// A Restate server, which is stopped with the test.
pub(crate) struct Server {
    program: String,
    folder: PathBuf,
    ports: Ports,
    process: Option<Child>,
}

struct Ports {
    ingress: u16,
    admin: u16,
    node: u16,
}

impl Server {
    /// Starts an empty server and waits until it is healthy. Returns `None` if no program is
    /// configured.
    pub(crate) async fn start() -> Option<Self> {
        let Ok(program) = std::env::var("COT_RESTATE_SERVER") else {
            skip();
            return None;
        };
        let [ingress, admin, node] = free_ports();
        let folder = new_folder();
        let ports = Ports { ingress, admin, node };
        fs::write(folder.join("restate.toml"), ports.configuration(&folder)).unwrap();
        let mut server = Self { program, folder, ports, process: None };
        server.restart().await;
        Some(server)
    }

    /// Starts the server with its stored data.
    pub(crate) async fn restart(&mut self) {
        self.kill();
        let log = self.folder.join("log");
        let log = fs::File::options().create(true).append(true).open(log).unwrap();
        let started = Command::new(&self.program)
            .arg("--config-file")
            .arg(self.folder.join("restate.toml"))
            .current_dir(&self.folder)
            .stdin(Stdio::null())
            .stdout(log.try_clone().unwrap())
            .stderr(log)
            .spawn();
        self.process = Some(started.unwrap());
        self.wait_until_healthy().await;
    }

    /// Ends the server with SIGKILL.
    pub(crate) fn kill(&mut self) {
        if let Some(mut process) = self.process.take() {
            process.kill().unwrap();
            process.wait().unwrap();
        }
    }

    /// The address of the ingress.
    pub(crate) fn ingress(&self) -> String {
        format!("http://127.0.0.1:{}", self.ports.ingress)
    }

    /// The address of the admin API.
    pub(crate) fn admin(&self) -> String {
        format!("http://127.0.0.1:{}", self.ports.admin)
    }

    async fn wait_until_healthy(&self) {
        let client = Client::builder().no_proxy().build().unwrap();
        let addresses =
            [format!("{}/restate/health", self.ingress()), format!("{}/health", self.admin())];
        for address in addresses {
            let is_healthy = || async {
                let reply = client.get(&address).send().await.ok()?;
                reply.status().is_success().then_some(())
            };
            until(&format!("{address}; see {}", self.folder.display()), is_healthy).await;
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
        // The files of a failed test may explain the failure.
        if !std::thread::panicking() {
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}

impl Ports {
    /// The configuration: a small server on the loopback interface that retries soon and without limit,
    /// since on a slow machine a node may be away for many attempts.
    fn configuration(&self, folder: &std::path::Path) -> String {
        let Self { ingress, admin, node } = self;
        format!(
            r#"
            base-dir = "{}"
            node-name = "test"
            listen-mode = "tcp"
            bind-ip = "127.0.0.1"
            bind-port = {node}
            advertised-address = "http://127.0.0.1:{node}/"
            default-num-partitions = 2
            rocksdb-total-memory-size = "256 MiB"
            disable-telemetry = true
            log-disable-ansi-codes = true

            [default-retry-policy]
            initial-interval = "50ms"
            exponentiation-factor = 2.0
            max-interval = "500ms"
            max-attempts = "unlimited"

            [admin]
            bind-ip = "127.0.0.1"
            bind-port = {admin}
            advertised-address = "http://127.0.0.1:{admin}/"

            [ingress]
            bind-ip = "127.0.0.1"
            bind-port = {ingress}
            advertised-address = "http://127.0.0.1:{ingress}/"
            "#,
            folder.join("data").display()
        )
    }
}

/// Finds unused ports. They are below those of outgoing connections, which could otherwise take the
/// port of a node or a server while it is dead.
pub(crate) fn free_ports<const COUNT: usize>() -> [u16; COUNT] {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    let first = FIRST_PORT + (std::process::id() % u32::from(PORTS)) as u16;
    [(); COUNT].map(|()| {
        loop {
            let next = first - FIRST_PORT + NEXT.fetch_add(1, Ordering::Relaxed);
            let port = FIRST_PORT + next % PORTS;
            if TcpListener::bind(("127.0.0.1", port)).is_ok() {
                return port;
            }
        }
    })
}

const FIRST_PORT: u16 = 12_000;
const PORTS: u16 = 18_000;

fn new_folder() -> PathBuf {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let name = format!("{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("restate").join(name);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Reports once that nothing was tested; not with a macro, whose output the test harness captures.
fn skip() {
    static SAID: Once = Once::new();
    SAID.call_once(|| {
        let said = "\nSKIPPED, all of them: COT_RESTATE_SERVER is not set; see crates/cot-restate/tests/server.sh\n";
        std::io::stderr().write_all(said.as_bytes()).unwrap();
    });
}
