//! The page itself: a single HTML file, built from `apps/viewer`, and beside it the physics engine and the baker.

use anyhow::Context as _;
use asset_bake::printable_path;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use std::borrow::Cow;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// The places in the page where `bonebox report` inserts its data, the physics engine and the baker.
const SLOTS: [&str; 3] = [
    r#"<script id="embedded" type="text/plain"></script>"#,
    r#"<script id="physics" type="text/plain"></script>"#,
    r#"<script id="baker" type="text/plain"></script>"#,
];

/// The name of the physics engine's file beside the page.
const PHYSICS: &str = "physics.js.gz";

/// The name of the baker's file beside the page.
const BAKER: &str = "baker.wasm.gz";

/// The page, the physics engine and the baker in this program. `cargo xtask viewer` builds them.
const BUILT_IN: &str = include_str!("../../page/viewer.html");
const BUILT_IN_PHYSICS: &[u8] = include_bytes!("../../page/physics.js.gz");
const BUILT_IN_BAKER: &[u8] = include_bytes!("../../page/baker.wasm.gz");

/// The page, and the physics engine that it loads when a character falls.
#[derive(Debug)]
pub(crate) struct Page {
    /// The HTML of the page.
    pub(crate) html: String,
    /// The file of the page; `None` for the page in this program.
    file: Option<PathBuf>,
}

impl Page {
    /// Loads the page from a file, or otherwise the page in this program.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or is not the page.
    pub(crate) fn load(file: Option<&Path>) -> anyhow::Result<Self> {
        let html = match file {
            Some(file) => {
                std::fs::read_to_string(file).with_context(|| format!("cannot read {}", printable_path(file)))?
            }
            None => BUILT_IN.to_owned(),
        };
        anyhow::ensure!(
            SLOTS.iter().all(|slot| html.contains(slot)),
            "the file is not the viewer's page, or is the page of another version; build it with `cargo xtask viewer`"
        );
        Ok(Self { html, file: file.map(Path::to_owned) })
    }

    /// A page without a physics engine.
    #[cfg(test)]
    pub(crate) fn without_physics(html: &str) -> Self {
        Self { html: html.to_owned(), file: Some(PathBuf::new()) }
    }

    /// Returns the physics engine: a JavaScript module, compressed (RFC 1952).
    ///
    /// # Errors
    /// Returns an error if the file beside the page cannot be read.
    pub(crate) fn physics(&self) -> anyhow::Result<Cow<'static, [u8]>> {
        let Some(page) = &self.file else { return Ok(Cow::Borrowed(BUILT_IN_PHYSICS)) };
        let file = page.with_file_name(PHYSICS);
        let read = std::fs::read(&file).with_context(|| {
            format!("cannot read {}, which `cargo xtask viewer` builds beside the page", printable_path(&file))
        });
        read.map(Cow::Owned)
    }

    /// Returns the baker: WebAssembly, compressed (RFC 1952). `None` if there is none beside the page, because
    /// `cargo xtask web` did not build it.
    ///
    /// # Errors
    /// Returns an error if the file beside the page cannot be read.
    pub(crate) fn baker(&self) -> anyhow::Result<Option<Cow<'static, [u8]>>> {
        let Some(page) = &self.file else { return Ok(Some(Cow::Borrowed(BUILT_IN_BAKER))) };
        let file = page.with_file_name(BAKER);
        match std::fs::read(&file) {
            Ok(bytes) => Ok(Some(Cow::Owned(bytes))),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error).with_context(|| format!("cannot read {}", printable_path(&file))),
        }
    }

    /// The page with data in it, which needs no server: JSON, compressed (RFC 1952), in base64. With `physics` and `baker`,
    /// these are in it too.
    ///
    /// # Errors
    /// Returns an error if compression fails.
    pub(crate) fn with_data(
        &self,
        json: &[u8],
        physics: Option<&[u8]>,
        baker: Option<&[u8]>,
    ) -> std::io::Result<String> {
        let data = [Some(packed(json)?), physics.map(<[u8]>::to_vec), baker.map(<[u8]>::to_vec)];
        let fill = |html: String, (slot, bytes): (&str, Option<Vec<u8>>)| match bytes {
            Some(bytes) => {
                html.replacen(slot, &slot.replace("></", &format!(">{}</", BASE64_STANDARD.encode(bytes))), 1)
            }
            None => html,
        };
        Ok(SLOTS.into_iter().zip(data).fold(self.html.clone(), fill))
    }
}

/// Compresses bytes (RFC 1952).
///
/// # Errors
/// Returns an error if compression fails.
pub(crate) fn packed(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    packer.write_all(bytes)?;
    packer.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read as _;

    #[test]
    fn data_cannot_end_its_element() {
        let page = Page::without_physics(&format!("<html>{}</html>", SLOTS.concat()));
        for physics in [None, Some(&[31, 139, 8, 0][..])] {
            let filled = page.with_data(br#"{"name":"</script><!--"}"#, physics, physics).unwrap();
            assert_eq!(filled.matches("</script>").count(), 3);
            let letters = filled.split(['>', '<']).nth(4).unwrap();
            // The first bytes of any gzip file in base64.
            assert!(letters.starts_with("H4sI") && letters.len() > 20, "{filled}");
            assert!(letters.bytes().all(|b| b.is_ascii_alphanumeric() || b"+/=".contains(&b)), "{filled}");
            for slot in ["physics", "baker"] {
                let contains = filled.contains(&format!(r#"<script id="{slot}" type="text/plain">H4sIAA=="#));
                assert_eq!(contains, physics.is_some());
            }
        }
    }

    #[test]
    fn the_program_contains_the_page() {
        let page = Page::load(None).unwrap();
        assert!(page.html.contains("<title>bonebox</title>") && page.html.contains("three.js authors"));
        assert!(page.physics().unwrap().starts_with(&[31, 139]));
        let mut baker = Vec::new();
        let packed = page.baker().unwrap().unwrap();
        flate2::read::GzDecoder::new(&*packed).read_to_end(&mut baker).unwrap();
        assert!(baker.starts_with(b"\0asm"));
    }

    #[test]
    fn a_file_that_is_not_the_page_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("viewer.html");
        let write = |html: &str| std::fs::write(&file, html).unwrap();
        write("<html></html>");
        let problem = Page::load(Some(&file)).unwrap_err().to_string();
        assert!(problem.contains("is not the viewer's page"), "{problem}");
        assert!(Page::load(Some(Path::new("no/such/page.html"))).is_err());
        write(&SLOTS.concat());
        let page = Page::load(Some(&file)).unwrap();
        let problem = format!("{:#}", page.physics().unwrap_err());
        assert!(problem.contains("physics.js.gz, which `cargo xtask viewer` builds"), "{problem}");
        std::fs::write(folder.path().join("physics.js.gz"), b"rapier").unwrap();
        assert_eq!(*page.physics().unwrap(), *b"rapier");
    }
}
