//! `bonebox explain`: prints what became of shots, a sentence each.

use crate::explanations::{ANSWERS, answer, read_explanations};
use anyhow::Context as _;
use skeleton::printable;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;

#[derive(clap::Args, Debug)]
pub(crate) struct Arguments {
    /// A file with the JSON of an `Explanation` of the crate bonebox-rewind in each line, as a server writes it; - for
    /// standard input
    file: PathBuf,
}

/// Prints a sentence for each explanation, and the number of each answer.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let (name, mut lines): (String, Box<dyn BufRead>) = if arguments.file.as_os_str() == "-" {
        ("standard input".into(), Box::new(std::io::stdin().lock()))
    } else {
        let name = printable(&arguments.file.display().to_string()).into_owned();
        let file = std::fs::File::open(&arguments.file).with_context(|| format!("cannot read {name}"))?;
        (name, Box::new(BufReader::new(file)))
    };
    let mut out = std::io::stdout().lock();
    explain(&name, &mut lines, &mut out)
}

fn explain(name: &str, lines: &mut dyn BufRead, out: &mut impl Write) -> anyhow::Result<()> {
    let mut counts = [0_usize; ANSWERS.len()];
    read_explanations(name, lines, |number, explanation| {
        counts[answer(&explanation.verdict)] += 1;
        Ok(writeln!(out, "{number}: {}", printable(&explanation.to_string()))?)
    })?;
    let total: usize = counts.iter().sum();
    let some = counts.iter().zip(ANSWERS).filter(|(count, _)| **count > 0);
    let some: Vec<String> = some.map(|(count, answer)| format!("{count} {answer}")).collect();
    let shots = if total == 1 { "shot" } else { "shots" };
    writeln!(out, "{total} {shots}{}{}", if total > 0 { ": " } else { "" }, some.join(", "))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const MISSED: &str = r#"{"target":7,"asked":{"tick":5,"fraction":0.5},"shown":{"tick":5,"fraction":0.5},"kind":"Interpolated","verdict":"Missed","nearest":{"box_index":1,"joint":"he\u001bad","tags":[],"is_enabled":true,"distance":0.25,"on_ray":[0,0,0],"on_hitbox":[0.25,0,0]},"hits_at":[4]}"#;
    const HIT: &str = r#"{"target":7,"asked":{"tick":4,"fraction":0.0},"shown":{"tick":4,"fraction":0.0},"kind":"Exact","verdict":{"Hit":{"box_index":1}},"nearest":null,"hits_at":[]}"#;

    fn explained(text: &str) -> anyhow::Result<String> {
        let mut out = Vec::new();
        explain("shots.jsonl", &mut text.as_bytes(), &mut out)?;
        Ok(String::from_utf8(out)?)
    }

    #[test]
    fn each_shot_is_a_sentence() {
        let text = explained(&format!("{MISSED}\n\n{HIT}\n")).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].starts_with("1: the shot missed body 7 at tick 5.5 by 0.25 at joint "), "{text}");
        assert!(lines[0].ends_with("the same ray hits it at tick 4") && !lines[0].contains('\u{1b}'), "{text}");
        assert!(lines[1].starts_with("3: the shot hit body 7 at tick 4"), "{text}");
        assert_eq!(lines[2], "2 shots: 1 hit, 1 missed");
        assert_eq!(explained("").unwrap(), "0 shots\n");
    }

    #[test]
    fn a_line_that_is_no_explanation_is_named() {
        let error = explained(&format!("{HIT}\n{{}}\n")).unwrap_err();
        assert!(
            format!("{error:#}").starts_with("shots.jsonl, line 2 is no explanation; write each line"),
            "{error:#}"
        );
        let long = format!("{{\"target\":{}", " ".repeat(1 << 20));
        assert!(format!("{:#}", explained(&long).unwrap_err()).contains("more than 1048576 bytes"));
    }
}
