//! Bakes the characters that another process names.

use crate::AssetError;
use crate::bake_request::BakeRequest;
use crate::one_bake::bake_target;
use crate::settings_files::SettingsFiles;
use crate::store::StoreInRun;
use crate::worker_messages::{Answer, Job, Ready, Start, receive, send};
use std::io::{BufRead, Write};

/// Bakes the characters that a run with [`Workers`](crate::Workers) sends to `input`, and sends the results to `output`, until `input`
/// ends. `request` is the request of that run. Writes no files.
///
/// # Errors
/// Returns [`AssetError`] if the settings are wrong, or the messages cannot be read or written. The error of a single asset is sent.
pub fn serve_bakes(request: &BakeRequest, mut input: impl BufRead, mut output: impl Write) -> Result<(), AssetError> {
    let broken = |source| AssetError::WorkerPipe { source };
    let Some(paths) = receive(&mut input).map_err(broken)?.map(Start::paths) else { return Ok(()) };
    let settings = SettingsFiles::open(&request.settings, &paths)?.requiring_patterns_to_match(&paths);
    send(&mut output, &Ready {}, &[]).map_err(broken)?;
    while let Some(job) = receive::<Job>(&mut input).map_err(broken)? {
        let store = request.store.as_ref().filter(|_| job.uses_store && !request.check).map(StoreInRun::new);
        let fitted = bake_target(request, &settings, store.as_ref(), &job.target(), &());
        let (answer, baked) = Answer::new(fitted, store.map(StoreInRun::into_news))?;
        send(&mut output, &answer, &baked).map_err(broken)?;
    }
    Ok(())
}
