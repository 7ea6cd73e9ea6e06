//! Checks the job of Kubernetes and the workflow of GitHub with their JSON schemas.

use super::workshop::{Workshop, output};
use super::{Skipped, missing};
use anyhow::ensure;
use std::fs;
use std::process::Command;

/// Two packages of PyPI have the schemas: `kubernetes-validate` those of Kubernetes, and `check-jsonschema` that of GitHub.
const PACKAGES: [&str; 2] = ["kubernetes-validate==1.37.0", "check-jsonschema"];

pub(super) fn check(workshop: &Workshop) -> anyhow::Result<Skipped> {
    if let Some(reason) = missing(&["python3"], "apt-get install python3-venv") {
        return Ok(Some(reason));
    }
    let folder = workshop.part("schemas")?;
    let environment = folder.join("python");
    let mut install = Command::new("sh");
    install
        .args(["-c", "python3 -m venv \"$0\" && \"$0/bin/pip\" install --quiet \"$@\""])
        .arg(&environment)
        .args(PACKAGES);
    if let Err(error) = output(&mut install) {
        return Ok(Some(format!("the schemas cannot be installed with pip: {error:#}")));
    }
    let run = |arguments: &[&str], file: &std::path::Path| {
        output(Command::new(environment.join("bin").join(arguments[0])).args(&arguments[1..]).arg(file)).is_ok()
    };
    let checks: [(&str, &[&str], (&str, &str)); 2] = [
        ("kubernetes.yaml", &["kubernetes-validate", "--strict"], ("completionMode:", "completionModus:")),
        (
            "github-actions.yaml",
            &["check-jsonschema", "--builtin-schema", "vendor.github-workflows"],
            ("runs-on:", "run-on:"),
        ),
    ];
    for (name, program, (word, mistake)) in checks {
        let file = crate::root().join("integrations/farm").join(name);
        ensure!(run(program, &file), "{name} does not have the form of its schema; run {} by hand", program.join(" "));
        let wrong = folder.join(name);
        fs::write(&wrong, fs::read_to_string(&file)?.replace(word, mistake))?;
        ensure!(!run(program, &wrong), "{} accepts a wrong {name}", program[0]);
        println!("{name} has the form of its schema ({})", program[0]);
    }
    Ok(None)
}
