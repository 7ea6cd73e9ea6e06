//! The messages between a run and its workers: each is a line of JSON. The baked file follows the line of an answer.
//!
//! The run sends the paths of all its assets, and the worker says that it is ready. Then the run sends one job after the other,
//! and the worker answers each before the next one comes.

use crate::AssetError;
use crate::bake_key::BakeKey;
use crate::bake_progress::BakeOutcome;
use crate::one_bake::Unwritten;
use crate::store::StoreNews;
use crate::target::BakeTarget;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use skeleton::NodeIndex;
use skinned_model::CharacterRoot;
use std::io::{self, BufRead, Write};
use std::path::PathBuf;

/// Any path of this system. Systems such as WebAssembly start no processes.
#[cfg(any(unix, windows))]
type SentPath = std::ffi::OsString;
#[cfg(not(any(unix, windows)))]
type SentPath = PathBuf;

/// The first message of a run: the paths of all its assets, on which the settings depend.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Start {
    paths: Vec<SentPath>,
}

impl Start {
    pub(crate) fn new(paths: &[PathBuf]) -> Self {
        Self { paths: paths.iter().map(|path| path.clone().into()).collect() }
    }

    pub(crate) fn paths(self) -> Vec<PathBuf> {
        self.paths.into_iter().map(PathBuf::from).collect()
    }
}

/// The answer to [`Start`], after the settings were read.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Ready {}

/// A character to bake.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Job {
    path: SentPath,
    root: Option<(u32, String)>,
    name: String,
    /// `false` after the store was lost.
    pub(crate) uses_store: bool,
}

impl Job {
    pub(crate) fn new(target: &BakeTarget, uses_store: bool) -> Self {
        let root = target.root.as_ref().map(|root| (root.node.0, root.name.clone()));
        Self { path: target.path.clone().into(), root, name: target.name.clone(), uses_store }
    }

    pub(crate) fn target(&self) -> BakeTarget {
        let root = self.root.clone().map(|(node, name)| CharacterRoot { node: NodeIndex(node), name });
        BakeTarget { path: self.path.clone().into(), root, name: self.name.clone() }
    }
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
enum Word {
    Baked,
    Stored,
    Unchanged,
    Refused,
    Failed,
}

/// The result of a job.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Answer {
    word: Word,
    /// The broken limits, or the error.
    texts: Vec<String>,
    key: Option<[u8; 32]>,
    pub(crate) store: Option<StoreNews>,
    /// The length of the baked file.
    bytes: usize,
}

impl Answer {
    /// The answer to a job, and the baked file.
    pub(crate) fn new(
        unwritten: Result<Unwritten, AssetError>,
        store: Option<StoreNews>,
    ) -> Result<(Self, Vec<u8>), AssetError> {
        let (outcome, key) = match unwritten {
            Ok(Unwritten { outcome, key, .. }) => (outcome, key),
            Err(error) => (BakeOutcome::Failed(error), None),
        };
        let baked = outcome.character().map(baked_format::write).transpose()?.unwrap_or_default();
        let (word, texts) = match outcome {
            BakeOutcome::Baked(_) => (Word::Baked, Vec::new()),
            BakeOutcome::Stored(_) => (Word::Stored, Vec::new()),
            BakeOutcome::Unchanged(_) => (Word::Unchanged, Vec::new()),
            BakeOutcome::Refused(_, broken) => (Word::Refused, broken),
            BakeOutcome::Failed(error) => (Word::Failed, vec![error.with_causes()]),
        };
        let key = key.map(|key| *key.bytes());
        Ok((Self { word, texts, key, store, bytes: baked.len() }, baked))
    }

    /// What [`Answer::new`] was made of.
    pub(crate) fn unwritten(self, baked: &[u8]) -> Result<Unwritten, AssetError> {
        let character = || Ok::<_, AssetError>(Box::new(baked_format::read(baked)?));
        let outcome = match self.word {
            Word::Baked => BakeOutcome::Baked(character()?),
            Word::Stored => BakeOutcome::Stored(character()?),
            Word::Unchanged => BakeOutcome::Unchanged(character()?),
            Word::Refused => BakeOutcome::Refused(character()?, self.texts),
            Word::Failed => return Err(AssetError::InWorker(self.texts.concat())),
        };
        Unwritten::new(outcome, self.key.map(BakeKey::from_bytes))
    }

    /// Reads an answer and its baked file; `None` at the end.
    pub(crate) fn receive(input: &mut impl BufRead) -> io::Result<Option<(Self, Vec<u8>)>> {
        let Some(answer) = receive::<Self>(input)? else { return Ok(None) };
        let mut baked = vec![0; answer.bytes];
        input.read_exact(&mut baked)?;
        Ok(Some((answer, baked)))
    }
}

/// Writes a message, and `rest` after it.
pub(crate) fn send(output: &mut impl Write, message: &impl Serialize, rest: &[u8]) -> io::Result<()> {
    let mut bytes = serde_json::to_vec(message)?;
    bytes.push(b'\n');
    bytes.extend(rest);
    output.write_all(&bytes)?;
    output.flush()
}

/// Reads a message; `None` at the end.
pub(crate) fn receive<T: DeserializeOwned>(input: &mut impl BufRead) -> io::Result<Option<T>> {
    let mut line = Vec::new();
    if input.read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    Ok(Some(serde_json::from_slice(&line)?))
}
