//! The driver of Chromium, as a process that the tests start and kill.

use std::{
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
};

/// A running `chromedriver`. It is killed when the value is dropped, together with its browsers.
#[derive(Debug)]
pub struct Driver {
    process: Child,
    address: String,
}

impl Driver {
    /// Starts the program that the variable `COT_CHROMEDRIVER` names, on a free port; `None` without the variable.
    #[must_use]
    pub fn start() -> Option<Self> {
        let program = std::env::var_os("COT_CHROMEDRIVER")?;
        let mut process = Command::new(program)
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("`COT_CHROMEDRIVER` names the driver of Chromium");
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let port = lines.find_map(|line| {
            let line = line.unwrap();
            let (_, port) = line.split_once("started successfully on port ")?;
            Some(port.trim_end_matches('.').to_owned())
        });
        let address = format!("http://127.0.0.1:{}", port.expect("the driver tells its port"));
        // The driver blocks once nobody reads what it prints.
        std::thread::spawn(move || lines.map_while(Result::ok).for_each(drop));
        Some(Self { process, address })
    }

    pub(crate) fn address(&self) -> &str {
        &self.address
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // A driver that has ended needs no kill.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
