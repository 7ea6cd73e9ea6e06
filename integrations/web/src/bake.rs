//! Bakes one file, as `bonebox bake` does.

use crate::reply::{Reply, bytes, text};
use asset_bake::{AssetSettings, CharacterFile, character_name};
use page_answers::HeldBuffers;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// What to bake, apart from the bytes of the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BakeRequest {
    file: String,
    settings: String,
    /// Pairs of a key and a text.
    options: Vec<(String, String)>,
    /// The lengths of the buffers whose bytes follow the file, by the URI in a .gltf.
    buffers: Vec<(String, usize)>,
}

/// Bakes a file. The reply has the bytes of a `.bonebox` file.
///
/// `request` is JSON. `data` has the bytes of the file and then those of its buffers.
///
/// # Safety
/// Both point to their number of bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_web_bake(
    request: *const u8,
    request_length: usize,
    data: *const u8,
    data_length: usize,
) -> *mut Reply {
    // SAFETY: the caller's promise.
    let (request, data) = unsafe { (text(request, request_length), bytes(data, data_length)) };
    Reply::hand_over(request.and_then(|request| bake(request, data)))
}

/// The content of `NAME.bonebox.json` for the bytes of a `.bonebox` file.
///
/// # Safety
/// `data` points to this number of bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_web_json(data: *const u8, length: usize) -> *mut Reply {
    // SAFETY: the caller's promise.
    let baked = baked_format::read(unsafe { bytes(data, length) });
    Reply::hand_over(baked.map(|baked| baked_format::to_json(&baked).into_bytes()).map_err(|error| error.to_string()))
}

fn bake(request: &str, data: &[u8]) -> Result<Vec<u8>, String> {
    let BakeRequest { file, settings, options, buffers } =
        serde_json::from_str(request).map_err(|error| format!("the request has the wrong form: {error}"))?;
    let (bytes, buffers) = split(data, buffers)?;
    let words = |error: asset_bake::AssetError| error.with_causes();
    let settings =
        AssetSettings::of_text(&character_name(Path::new(&file)), "settings", &settings, &options).map_err(words)?;
    let opened = CharacterFile::of_bytes(bytes, &file, &HeldBuffers(&buffers)).map_err(words)?;
    let baked = opened.bake_with(&settings, &()).map_err(words)?;
    baked_format::write(&baked).map_err(|error| error.to_string())
}

/// Divides bytes into the file and its buffers.
pub(crate) fn split(data: &[u8], buffers: Vec<(String, usize)>) -> Result<(&[u8], BTreeMap<String, Vec<u8>>), String> {
    let of_buffers = buffers.iter().try_fold(0_usize, |sum, (_, length)| sum.checked_add(*length));
    let file = of_buffers.and_then(|of_buffers| data.len().checked_sub(of_buffers));
    let (file, mut rest) = data.split_at(file.ok_or("the buffers are longer than the bytes")?);
    let mut found = BTreeMap::new();
    for (uri, length) in buffers {
        let (one, later) = rest.split_at(length);
        found.insert(uri, one.to_vec());
        rest = later;
    }
    Ok((file, found))
}
