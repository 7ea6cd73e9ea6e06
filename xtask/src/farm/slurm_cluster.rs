//! A cluster of Slurm on this machine: a controller and three nodes on the loopback interface.

use super::processes::{self, MARK};
use super::workshop::{Workshop, output};
use anyhow::{Context as _, bail};
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The nodes.
pub(crate) const NODES: [&str; 3] = ["w1", "w2", "w3"];

/// The port of the controller. The nodes have the ports behind it.
const PORT: u16 = 27_817;

/// A running cluster. All of its processes end with it, also after an error.
pub(crate) struct Cluster {
    folder: PathBuf,
    path: String,
    /// The daemons by their names.
    daemons: Vec<(String, Child)>,
}

impl Cluster {
    /// Starts the daemons, and waits until all nodes are idle.
    pub(crate) fn start(workshop: &Workshop, folder: &Path) -> anyhow::Result<Self> {
        let mut cluster = Self { folder: folder.to_owned(), path: workshop.path(), daemons: Vec::new() };
        for name in ["munge", "state", "log"].into_iter().chain(NODES) {
            fs::create_dir_all(folder.join(name))?;
        }
        // munge refuses folders that others may write.
        output(Command::new("chmod").arg("755").arg(folder.join("munge")))?;
        let key = folder.join("munge/key");
        fs::write(&key, random_key()?)?;
        output(Command::new("chmod").arg("400").arg(&key))?;
        let at = |name: &str| folder.join(name).display().to_string();
        let [key, socket] = ["munge/key", "munge/socket"].map(at);
        let files = ["--pid-file", &at("munge/pid"), "--log-file", &at("munge/log"), "--seed-file", &at("munge/seed")]
            .map(str::to_owned);
        let mut munged = vec![
            "--foreground".to_owned(),
            "--force".into(),
            "--key-file".into(),
            key,
            "--socket".into(),
            socket.clone(),
        ];
        munged.extend(files);
        cluster.spawn("munged", "munged", &munged)?;
        wait("munge", Duration::from_secs(20), || Ok(Path::new(&socket).exists()))?;
        fs::write(folder.join("slurm.conf"), cluster.configuration(&socket)?)?;
        let configuration = at("slurm.conf");
        cluster.spawn("slurmctld", "slurmctld", &["-D".into(), "-f".into(), configuration.clone()])?;
        for node in NODES {
            cluster.start_node(node)?;
        }
        wait("idle nodes", Duration::from_secs(60), || {
            let states = cluster.told("sinfo", &["--noheader", "--Node", "--format", "%N %t"]).unwrap_or_default();
            Ok(states.lines().filter(|line| line.ends_with(" idle")).count() == NODES.len())
        })
        .with_context(|| cluster.logs())?;
        Ok(cluster)
    }

    fn configuration(&self, socket: &str) -> anyhow::Result<String> {
        let host = output(Command::new("hostname").arg("-s"))?.trim().to_owned();
        let user = output(Command::new("id").arg("-un"))?.trim().to_owned();
        let folder = self.folder.display();
        let nodes: Vec<String> = NODES
            .iter()
            .zip(PORT + 1..)
            .map(|(node, port)| {
                format!("NodeName={node} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs=1 State=UNKNOWN")
            })
            .collect();
        Ok(format!(
            "ClusterName=bonebox\nSlurmctldHost={host}(127.0.0.1)\nSlurmctldPort={PORT}\nSlurmUser={user}\nSlurmdUser={user}\n\
             AuthType=auth/munge\nAuthInfo=socket={socket}\nCredType=cred/munge\nMpiDefault=none\n\
             ProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core\n\
             SlurmdParameters=config_overrides\nReturnToService=2\nSlurmdTimeout=10\nKillWait=2\nMinJobAge=3600\n\
             JobAcctGatherType=jobacct_gather/none\nAccountingStorageType=accounting_storage/none\n\
             StateSaveLocation={folder}/state\nSlurmctldPidFile={folder}/slurmctld.pid\nSlurmctldLogFile={folder}/log/slurmctld\n\
             SlurmdSpoolDir={folder}/%n\nSlurmdPidFile={folder}/%n.pid\nSlurmdLogFile={folder}/log/%n\n{}\n\
             PartitionName=farm Nodes={} Default=YES MaxTime=INFINITE State=UP\n",
            nodes.join("\n"),
            NODES.join(",")
        ))
    }

    /// Starts the daemon of a node, also again.
    pub(crate) fn start_node(&mut self, node: &str) -> anyhow::Result<()> {
        let configuration = self.folder.join("slurm.conf").display().to_string();
        self.spawn(node, "slurmd", &["-D".into(), "-N".into(), node.into(), "-f".into(), configuration])
    }

    fn spawn(&mut self, name: &str, program: &str, arguments: &[String]) -> anyhow::Result<()> {
        let log = File::options().create(true).append(true).open(self.folder.join(format!("log/{name}.out")))?;
        let mut command = self.command(program);
        command.args(arguments).stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log);
        self.daemons.push((name.to_owned(), command.spawn().with_context(|| format!("{program} does not start"))?));
        Ok(())
    }

    /// A command in the environment of the cluster.
    pub(crate) fn command(&self, program: &str) -> Command {
        let mut command = Command::new("env");
        command.arg(program).env("PATH", &self.path).env(MARK, &self.folder);
        command.env("SLURM_CONF", self.folder.join("slurm.conf"));
        command
    }

    /// The output of a command of Slurm.
    pub(crate) fn told(&self, program: &str, arguments: &[&str]) -> anyhow::Result<String> {
        output(self.command(program).args(arguments))
    }

    /// Kills the daemon of a node, and all that runs on the node, as a power failure would.
    pub(crate) fn lose_node(&mut self, node: &str) -> anyhow::Result<()> {
        let (_, child) = self.daemons.iter_mut().find(|(name, _)| name == node).context("there is no such node")?;
        child.kill()?;
        child.wait()?;
        self.daemons.retain(|(name, _)| name != node);
        Ok(())
    }

    /// The processes of the cluster's jobs that have this name.
    pub(crate) fn processes(&self, name: &str) -> Vec<u32> {
        processes::of_farm(&self.folder).into_iter().filter(|pid| processes::name(*pid) == name).collect()
    }

    /// The ends of the logs, for an error.
    fn logs(&self) -> String {
        let mut text = String::from("the cluster does not start:\n");
        for name in fs::read_dir(self.folder.join("log")).into_iter().flatten().flatten() {
            let log = fs::read_to_string(name.path()).unwrap_or_default();
            let lines: Vec<&str> = log.lines().collect();
            text += &format!("-- {:?}\n{}\n", name.file_name(), lines[lines.len().saturating_sub(8)..].join("\n"));
        }
        text
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        for (_, child) in self.daemons.iter_mut().rev() {
            let _ = child.kill();
            let _ = child.wait();
        }
        // Jobs outlive the daemons.
        for _ in 0..20 {
            let left = processes::of_farm_or_open(&self.folder);
            if left.is_empty() {
                return;
            }
            left.into_iter().for_each(|pid| processes::signal(pid, "KILL"));
            sleep(Duration::from_millis(100));
        }
        eprintln!("warning: processes of the cluster are left: {:?}", processes::of_farm_or_open(&self.folder));
    }
}

/// Waits until something holds.
pub(crate) fn wait(
    what: &str,
    longest: Duration,
    mut holds: impl FnMut() -> anyhow::Result<bool>,
) -> anyhow::Result<()> {
    let start = Instant::now();
    while !holds()? {
        if start.elapsed() > longest {
            bail!("waited {:.0} s for {what}", longest.as_secs_f64());
        }
        sleep(Duration::from_millis(50));
    }
    Ok(())
}

/// Random bytes for the key of munge.
fn random_key() -> anyhow::Result<Vec<u8>> {
    let mut key = vec![0; 1024];
    File::open("/dev/urandom")?.read_exact(&mut key)?;
    Ok(key)
}
