//! Runs every command of docs/studio.md.

use super::Skipped;
use super::slurm_cluster::{Cluster, wait};
use super::workshop::Workshop;
use anyhow::{Context as _, ensure};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// Runs the blocks that need nothing but the program.
pub(super) fn run(workshop: &Workshop) -> anyhow::Result<Skipped> {
    let folder = prepared(workshop, "guide")?;
    let mut count = 0;
    for block in blocks()? {
        if needs_slurm(&block) || needs_bucket(&block) {
            println!("not here: {}", block.lines().next().unwrap_or_default());
            continue;
        }
        count += run_block(Command::new("bash"), workshop, &folder, &block)?;
    }
    ensure!(count > 8, "docs/studio.md has only {count} commands");
    println!("{count} commands of docs/studio.md ran");
    Ok(None)
}

/// Runs the blocks that need a cluster.
pub(super) fn with_slurm(workshop: &Workshop, cluster: &Cluster) -> anyhow::Result<()> {
    let folder = prepared(workshop, "guide-slurm")?;
    let blocks: Vec<String> = blocks()?.into_iter().filter(|block| needs_slurm(block)).collect();
    ensure!(!blocks.is_empty(), "docs/studio.md has no command of Slurm");
    for block in &blocks {
        let count = run_block(cluster.command("bash"), workshop, &folder, block)?;
        println!("{count} commands of docs/studio.md ran on the cluster");
    }
    wait("the report of the guide", Duration::from_secs(600), || {
        Ok(cluster.told("squeue", &["--noheader"])?.trim().is_empty())
    })?;
    let report = fs::read_to_string(folder.join("build/report.jsonl")).context("the guide's jobs left no report")?;
    let summary = super::reports::summary(&report)?;
    ensure!(summary["missing"] == 0 && summary["failed"] == 0, "{summary}");
    Ok(())
}

/// Runs the blocks that need a bucket, with these variables.
pub(super) fn with_bucket(workshop: &Workshop, variables: &[(&str, &str)]) -> anyhow::Result<()> {
    let folder = prepared(workshop, "guide-bucket")?;
    let blocks: Vec<String> = blocks()?.into_iter().filter(|block| needs_bucket(block)).collect();
    ensure!(!blocks.is_empty(), "docs/studio.md has no command with a bucket");
    for block in &blocks {
        // The page shows variables of an account that is not there.
        let block: Vec<&str> = block.lines().filter(|line| !line.starts_with("export AWS_")).collect();
        let mut bash = Command::new("bash");
        bash.envs(variables.iter().copied());
        let count = run_block(bash, workshop, &folder, &block.join("\n"))?;
        println!("{count} commands of docs/studio.md ran with the bucket");
    }
    Ok(())
}

/// A folder as the page assumes it: assets, the scripts, and a shared folder.
fn prepared(workshop: &Workshop, name: &str) -> anyhow::Result<std::path::PathBuf> {
    let folder = workshop.part(name)?;
    workshop.write_library(&folder.join("assets"), 40, false)?;
    fs::create_dir_all(folder.join("integrations/farm"))?;
    for script in ["slurm.sh", "parallel.sh"] {
        let script = format!("integrations/farm/{script}");
        fs::copy(crate::root().join(&script), folder.join(&script))?;
    }
    Ok(folder)
}

fn needs_slurm(block: &str) -> bool {
    block.contains("sbatch ")
}

fn needs_bucket(block: &str) -> bool {
    block.contains("s3://")
}

/// The blocks of the page for a shell.
fn blocks() -> anyhow::Result<Vec<String>> {
    let page = fs::read_to_string(crate::root().join("docs/studio.md"))?;
    let parts = page.split("\n```sh\n").skip(1);
    Ok(parts.filter_map(|part| Some(part.split_once("\n```")?.0.to_owned())).collect())
}

/// Runs a block, and returns the number of its commands.
fn run_block(mut bash: Command, workshop: &Workshop, folder: &Path, block: &str) -> anyhow::Result<usize> {
    let shared = folder.join("share").display().to_string();
    let script = block.replace("/mnt/share", &shared);
    bash.args(["-euo", "pipefail", "-c", &script]).env("PATH", workshop.path()).env_remove("BONEBOX_STORE");
    let output = bash.current_dir(folder).output()?;
    let errors = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "a command of docs/studio.md failed:\n{block}\n{errors}");
    Ok(block.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')).count())
}
