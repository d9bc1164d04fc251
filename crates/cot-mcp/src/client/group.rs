//! The processes of a server: the program and those that it has started.

use std::io;

use tokio::process::{Child, Command};

/// Starts the program as the first process of a group of its own. It is killed when the child is dropped.
pub(crate) fn spawn(command: &mut Command) -> io::Result<Child> {
    #[cfg(unix)]
    command.process_group(0);
    command.kill_on_drop(true).spawn()
}

/// Asks the processes of a running program to end. Without groups of processes nothing is done.
pub(crate) fn terminate(child: &Child) {
    #[cfg(unix)]
    unix::signal(child, rustix::process::Signal::TERM);
    #[cfg(not(unix))]
    let _ = child;
}

/// Kills the processes of a running program.
pub(crate) fn kill(child: &mut Child) {
    #[cfg(unix)]
    unix::signal(child, rustix::process::Signal::KILL);
    // A program that has ended can't be killed, and need not be.
    let _ = child.start_kill();
}

#[cfg(unix)]
mod unix {
    use rustix::process::{Pid, Signal, kill_process_group};
    use tokio::process::Child;

    /// Sends a signal to the group of a program. Once the program is reaped, its number may be that of another
    /// one, and nothing is sent.
    pub(super) fn signal(child: &Child, signal: Signal) {
        let group = child.id().and_then(|id| Pid::from_raw(id.try_into().ok()?));
        if let Some(group) = group {
            // The processes may have ended.
            let _ = kill_process_group(group, signal);
        }
    }
}
