//! The page itself: a single HTML file, built from `apps/viewer`.

use anyhow::Context as _;
use asset_bake::printable_path;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use std::io::Write as _;
use std::path::Path;

/// The place in the page where `bonebox report` inserts its data.
const SLOT: &str = r#"<script id="embedded" type="text/plain"></script>"#;

/// Loads the page from a file, or otherwise the page that was built into this program.
///
/// # Errors
/// Returns an error if no page is built in and no file is given; the message says how to get a page.
pub(crate) fn load(file: Option<&Path>) -> anyhow::Result<String> {
    let page = match file {
        Some(file) => std::fs::read_to_string(file).with_context(|| format!("cannot read {}", printable_path(file)))?,
        None => built_in().context(
            "this program does not contain the viewer's page; run `cargo xtask view PATH` in a clone of the repository, \
             which builds the page with Node 20.19 and npm and opens it, or name a built page with --page FILE",
        )?,
    };
    anyhow::ensure!(
        page.contains(SLOT),
        "the file is not the viewer's page, or is the page of another version; build it with `cargo xtask viewer`"
    );
    Ok(page)
}

#[cfg(feature = "viewer")]
fn built_in() -> Option<String> {
    Some(include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../viewer/dist/viewer.html")).to_owned())
}

#[cfg(not(feature = "viewer"))]
fn built_in() -> Option<String> {
    None
}

/// The page with data in it, which needs no server: JSON, compressed (RFC 1952), in base64.
///
/// # Errors
/// Returns an error if compression fails.
pub(crate) fn with_data(page: &str, json: &[u8]) -> std::io::Result<String> {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    packer.write_all(json)?;
    let letters = BASE64_STANDARD.encode(packer.finish()?);
    Ok(page.replacen(SLOT, &SLOT.replace("></", &format!(">{letters}</")), 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_cannot_end_its_element() {
        let page = format!("<html>{SLOT}</html>");
        let filled = with_data(&page, br#"{"name":"</script><!--"}"#).unwrap();
        assert_eq!(filled.matches("</script>").count(), 1);
        let letters = filled.split(['>', '<']).nth(4).unwrap();
        // The first bytes of any gzip file in base64.
        assert!(letters.starts_with("H4sI") && letters.len() > 20, "{filled}");
        assert!(letters.bytes().all(|b| b.is_ascii_alphanumeric() || b"+/=".contains(&b)), "{filled}");
    }

    #[test]
    fn a_file_that_is_not_the_page_is_refused() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "<html></html>").unwrap();
        assert!(load(Some(file.path())).unwrap_err().to_string().contains("is not the viewer's page"));
        assert!(load(Some(Path::new("no/such/page.html"))).is_err());
    }
}
