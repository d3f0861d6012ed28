//! What the system says of a running process.

use std::fs;

use crate::outcome::Outcome;
use anyhow::{Context, Error};

/// How many ticks of processor time Linux counts in a second.
const TICKS: f64 = 100.0;

/// The memory of a process now, in KiB.
pub(crate) fn resident(process: u32) -> Outcome<u64> {
    status(process, "VmRSS:")
}

/// The most memory that a process ever had, in KiB.
pub(crate) fn peak(process: u32) -> Outcome<u64> {
    status(process, "VmHWM:")
}

fn status(process: u32, line: &str) -> Outcome<u64> {
    let path = format!("/proc/{process}/status");
    let text = fs::read_to_string(&path).with_context(|| path.clone())?;
    let value = text
        .lines()
        .find_map(|found| found.strip_prefix(line))
        .and_then(|rest| rest.split_whitespace().next());
    value
        .and_then(|number| number.parse().ok())
        .ok_or_else(|| Error::msg(format!("{path} has no {line}")))
}

/// How many seconds of processor time all threads of a process have used.
pub(super) fn processor_seconds(process: u32) -> Outcome<f64> {
    let path = format!("/proc/{process}/stat");
    let text = fs::read_to_string(&path).with_context(|| path.clone())?;
    // the name of the program stands in parentheses and may hold anything
    let fields: Vec<&str> = text
        .rsplit(')')
        .next()
        .unwrap_or_default()
        .split_whitespace()
        .collect();
    let ticks = |place: usize| fields.get(place).and_then(|text| text.parse::<u32>().ok());
    match (ticks(11), ticks(12)) {
        (Some(user), Some(system)) => Ok(f64::from(user + system) / TICKS),
        _ => Err(Error::msg(format!("{path} has another form"))),
    }
}

/// The process that listens on a port of this machine.
pub(super) fn listener(port: &str) -> Outcome<u32> {
    let wanted = format!(":{:04X}", port.parse::<u16>().context("a port")?);
    let mut sockets = Vec::new();
    for table in ["/proc/net/tcp", "/proc/net/tcp6"] {
        for line in fs::read_to_string(table).unwrap_or_default().lines() {
            let fields: Vec<&str> = line.split_whitespace().collect();
            if let (Some(address), Some(&"0A"), Some(inode)) = (fields.get(1), fields.get(3), fields.get(9))
                && address.ends_with(&wanted)
            {
                sockets.push(format!("socket:[{inode}]"));
            }
        }
    }
    let processes = fs::read_dir("/proc").context("/proc")?.flatten();
    for process in processes {
        let Some(id) = process.file_name().to_str().and_then(|name| name.parse().ok()) else {
            continue;
        };
        let files = fs::read_dir(process.path().join("fd"))
            .into_iter()
            .flatten()
            .flatten();
        let mut links = files.filter_map(|file| fs::read_link(file.path()).ok());
        if links.any(|link| sockets.iter().any(|socket| link.as_os_str() == socket.as_str())) {
            return Ok(id);
        }
    }
    Err(Error::msg(format!("nobody listens on port {port}")))
}
