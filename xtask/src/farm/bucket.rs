//! Bakes with a store in a bucket: with a real server, and with a proxy before it that fails in every way.

use super::proxy::{Fault, Proxy};
use super::reports::summary;
use super::slurm_cluster::wait;
use super::workshop::{Workshop, compare_folders, output};
use super::{Skipped, guide, missing};
use anyhow::{Context as _, ensure};
use serde_json::Value;
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// moto answers S3's requests; its server is a real process.
const PACKAGE: &str = "moto[server]==5.2.5";

/// The number of characters.
const CHARACTERS: usize = 12;

/// The server. It ends with this value.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

pub(super) fn run(workshop: &Workshop) -> anyhow::Result<Skipped> {
    if let Some(reason) = missing(&["python3"], "apt-get install python3-venv") {
        return Ok(Some(reason));
    }
    let folder = workshop.part("bucket")?;
    let environment = folder.join("python");
    let mut install = Command::new("sh");
    install
        .args(["-c", "python3 -m venv \"$0\" && \"$0/bin/pip\" install --quiet \"$1\""])
        .arg(&environment)
        .arg(PACKAGE);
    if let Err(error) = output(&mut install) {
        return Ok(Some(format!("{PACKAGE} cannot be installed with pip: {error:#}")));
    }
    let start = Instant::now();
    workshop.build(&["--features", "cloud"], "bonebox-cloud")?;
    println!("the program with buckets was built in {:.0} s", start.elapsed().as_secs_f64());
    std::fs::copy(workshop.programs.join("bonebox-cloud"), workshop.programs.join("bonebox"))?;

    let port = TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port();
    let mut server = Command::new(environment.join("bin/moto_server"));
    server.args(["--host", "127.0.0.1", "--port", &port.to_string()]).stdout(Stdio::null()).stderr(Stdio::null());
    let _server = Server(server.spawn().context("moto_server does not start")?);
    wait("the server", Duration::from_secs(60), || Ok(TcpStream::connect(("127.0.0.1", port)).is_ok()))?;
    let proxy = Proxy::start(port)?;
    let endpoint = format!("http://127.0.0.1:{}", proxy.port);
    let variables = [
        ("AWS_ENDPOINT_URL", endpoint.as_str()),
        ("AWS_ALLOW_HTTP", "true"),
        ("AWS_ACCESS_KEY_ID", "test"),
        ("AWS_SECRET_ACCESS_KEY", "test"),
        ("AWS_REGION", "us-east-1"),
        // A test does not wait as long as a studio would.
        ("AWS_TIMEOUT", "3s"),
    ];
    let mut make = Command::new(environment.join("bin/python3"));
    make.args(["-c", "import boto3,sys; [boto3.client('s3',endpoint_url=sys.argv[1]).create_bucket(Bucket=b) for b in ('studio','studio-bakes')]"]);
    output(make.arg(&endpoint).envs(variables))?;

    workshop.write_library(&folder.join("assets"), CHARACTERS, false)?;
    output(&mut workshop.bonebox(&folder, &["bake", "assets", "--out-dir", "alone"]))?;
    let bake = |out: &str, store: &str| -> anyhow::Result<(Value, String)> {
        let mut bake = workshop.bonebox(&folder, &["bake", "assets", "--out-dir", out, "--store", store, "--json"]);
        let output = bake.envs(variables).output()?;
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        ensure!(output.status.success(), "the bake failed: {errors}");
        let told = summary(&String::from_utf8(output.stdout)?)?;
        compare_folders(&folder.join("alone"), &folder.join(out))?;
        std::fs::remove_dir_all(folder.join(out))?;
        Ok((told, errors))
    };
    let first = bake("out", "s3://studio/healthy")?;
    ensure!(first.0["baked"] == CHARACTERS && first.1.is_empty(), "{first:?}");
    let second = bake("out", "s3://studio/healthy")?;
    ensure!(second.0["stored"] == CHARACTERS && second.1.is_empty(), "{second:?}");
    let creates = proxy.count(|request| request.contains("if-none-match: *"));
    ensure!(creates == CHARACTERS, "{creates} of {CHARACTERS} entries were written only if there was none");
    let command = |arguments: &[&str]| output(workshop.bonebox(&folder, arguments).envs(variables));
    println!("{}", command(&["store", "stats", "s3://studio/healthy"])?.trim());
    println!("{}", command(&["store", "verify", "s3://studio/healthy"])?.trim());
    ensure!(
        command(&["store", "stats", "s3://studio/healthy"])?.starts_with(&format!("{CHARACTERS} entries")),
        "entries are missing"
    );

    faults(&proxy, bake)?;
    let pruned = command(&["store", "prune", "s3://studio/healthy", "--older-than", "0s"])?;
    ensure!(pruned.contains("; 0 entries"), "{pruned}");
    guide::with_bucket(workshop, &variables)?;
    Ok(None)
}

/// Each fault on an empty and on a full store, in all requests or in some.
fn faults(proxy: &Proxy, bake: impl Fn(&str, &str) -> anyhow::Result<(Value, String)>) -> anyhow::Result<()> {
    for fault in Fault::ALL {
        for every in [1, 3] {
            let store = format!("s3://studio/{fault:?}-{every}");
            let mut told = Vec::new();
            for round in 0..2 {
                proxy.set(Some((fault, every)));
                let start = Instant::now();
                let (summary, errors) = bake("out", &store)?;
                let warnings = errors.matches("warning:").count();
                ensure!(warnings <= 1, "{fault:?} {every}: {errors}");
                told.push(format!(
                    "{} baked, {} stored, {warnings} warnings, {:.1} s",
                    summary["baked"],
                    summary["stored"],
                    start.elapsed().as_secs_f64()
                ));
                ensure!(round == 1 || summary["stored"] == 0, "an empty store had something");
            }
            // What the fault left in the store is found and repaired.
            proxy.set(None);
            let (_, errors) = bake("out", &store)?;
            ensure!(errors.matches("warning:").count() <= 1, "{errors}");
            let (healed, errors) = bake("out", &store)?;
            ensure!(healed["stored"] == CHARACTERS && errors.is_empty(), "{fault:?} {every}: {healed} {errors}");
            println!("{fault:?}, every {every}: {}", told.join("; then "));
        }
    }
    Ok(())
}
