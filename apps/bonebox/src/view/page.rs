//! The page itself: one file of HTML, built from `apps/viewer`.

use anyhow::Context as _;
use std::path::Path;

/// Where `bonebox report` puts its data.
const SLOT: &str = r#"<script id="embedded" type="application/json"></script>"#;

/// The page in that file, else the one that was built into this program.
///
/// # Errors
/// There is none; the message says how to get it.
pub(crate) fn load(file: Option<&Path>) -> anyhow::Result<String> {
    let page = match file {
        Some(file) => std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?,
        None => built_in().context(
            "this bonebox was built without the viewer's page. From a clone, `cargo xtask view PATH…` builds it \
             (Node 20 and npm are needed) and starts; or give a built page with --page FILE",
        )?,
    };
    anyhow::ensure!(page.contains(SLOT), "this is not the viewer's page, or one of another version");
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

/// The page with data in it, which needs no server.
pub(crate) fn with_data(page: &str, json: &str) -> String {
    // Inside a script element only `<` can end it or begin a comment; in JSON it stands in strings alone.
    let filled = SLOT.replace("></", &format!(">{}</", json.replace('<', "\\u003c")));
    page.replacen(SLOT, &filled, 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_cannot_end_its_element() {
        let page = format!("<html>{SLOT}</html>");
        let filled = with_data(&page, r#"{"name":"</script><!--"}"#);
        assert_eq!(filled.matches("</script>").count(), 1);
        assert!(filled.contains(r#"{"name":"\u003c/script>\u003c!--"}"#), "{filled}");
    }

    #[test]
    fn a_page_of_something_else_is_refused() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "<html></html>").unwrap();
        assert!(load(Some(file.path())).unwrap_err().to_string().contains("not the viewer's page"));
        assert!(load(Some(Path::new("no/such/page.html"))).is_err());
    }
}
