//! Bakes large libraries of characters with the tools of studios, and breaks machines meanwhile.

mod bucket;
mod guide;
mod processes;
mod proxy;
mod reports;
mod scale;
mod schemas;
mod slurm;
mod slurm_cluster;
mod workshop;

use anyhow::bail;
use std::process::Command;
use workshop::Workshop;

/// The reason why a part was skipped; `None` if it passed.
type Skipped = Option<String>;

/// A part of the farm.
type Part = fn(&Workshop) -> anyhow::Result<Skipped>;

/// The parts in the order in which they run.
const PARTS: [(&str, Part); 5] = [
    ("schemas", schemas::check),
    ("slurm", slurm::run),
    ("guide", guide::run),
    ("bucket", bucket::run),
    ("scale", scale::run),
];

/// `cargo xtask farm [NAME…]`: all parts, or the named ones, which then must not be skipped.
pub(crate) fn run(arguments: &[String]) -> anyhow::Result<()> {
    let names = PARTS.map(|(name, _)| name);
    if let Some(unknown) = arguments.iter().find(|name| !names.contains(&name.as_str())) {
        bail!("the farm has no part {unknown:?}; the parts are {}", names.join(", "));
    }
    if !cfg!(target_os = "linux") {
        bail!("the farm runs on Linux only: it follows its processes in /proc");
    }
    let workshop = Workshop::open()?;
    let mut ends = Vec::new();
    for (name, part) in PARTS {
        if arguments.is_empty() || arguments.iter().any(|one| one == name) {
            println!("== farm {name}");
            let skipped = part(&workshop).map_err(|error| error.context(format!("farm {name} failed")))?;
            if let Some(reason) = skipped.as_ref().filter(|_| !arguments.is_empty()) {
                bail!("farm {name} was SKIPPED: {reason}");
            }
            ends.push((name, skipped));
        }
    }
    println!();
    for (name, skipped) in ends {
        println!("farm: {name}: {}", skipped.map_or("passed".into(), |reason| format!("SKIPPED: {reason}")));
    }
    Ok(())
}

/// The reason to skip a part that needs these programs.
fn missing(programs: &[&str], package: &str) -> Skipped {
    let lacks = |program: &&&str| {
        let mut which = Command::new("sh");
        !which
            .args(["-c", &format!("PATH=$PATH:/usr/sbin:/sbin command -v {program}")])
            .output()
            .is_ok_and(|out| out.status.success())
    };
    programs.iter().find(lacks).map(|program| format!("{program} is not installed ({package})"))
}
