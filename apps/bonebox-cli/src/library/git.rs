//! Reads the baked files of an earlier commit from Git, by calling the program `git`.

use anyhow::{Context as _, bail, ensure};
use asset_bake::{folder_of, is_baked_file, printable_path};
use baked_format::BakedCharacter;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{BufRead as _, BufReader, ErrorKind, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// The largest baked file that is read from Git, in bytes.
const MOST_BYTES: u64 = 1 << 30;

/// The beginning of a file that Git LFS has in place of a large file.
const LFS_POINTER: &[u8] = b"version https://git-lfs";

/// The baked files of a commit.
pub(crate) struct Base {
    /// The root folder of the checkout, without links.
    root: PathBuf,
    /// The same folder, as Git names it.
    named: PathBuf,
    /// The full name of the commit.
    pub(crate) commit: String,
    /// The ids of the baked files, by their paths in the checkout.
    files: BTreeMap<PathBuf, String>,
    reader: Reader,
}

/// A running `git cat-file`, which answers one request after the other.
struct Reader {
    child: Child,
    requests: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Base {
    /// Lists the baked files of a revision that are below these paths.
    ///
    /// # Errors
    /// Returns an error if there is no program `git`, the paths are not in one checkout, or the revision does not exist.
    pub(crate) fn open(revision: &str, paths: &[PathBuf]) -> anyhow::Result<Self> {
        let first = paths.first().context("there is no path to look for a checkout")?;
        let folder = if first.is_dir() { first.clone() } else { folder_of(first).to_owned() };
        let shown = printable_path(&folder);
        let root = git(&folder, &["rev-parse", "--show-toplevel"])?.with_context(|| {
            format!("{shown} is not in a checkout of Git, so there is no base; name a folder of a checkout, or leave out --base")
        })?;
        // Git for Windows does not take the paths of `canonicalize`.
        let named = path_of(trimmed(&root)).context("the path of the checkout is not valid")?;
        let root = fs::canonicalize(&named).with_context(|| printable_path(&named))?;
        ensure!(!revision.starts_with('-') && !revision.is_empty(), "{revision:?} is not the name of a revision");
        let commit = git(&named, &["rev-parse", "--verify", "--quiet", &format!("{revision}^{{commit}}")])?;
        let commit = commit.with_context(|| {
            format!(
                "the revision {revision:?} does not exist in the checkout {}; correct its name. A shallow clone has only \
                 the newest commits: `git fetch --depth=1 origin REVISION` gets another one",
                printable_path(&root)
            )
        })?;
        let commit = String::from_utf8_lossy(trimmed(&commit)).into_owned();
        let mut arguments =
            vec!["ls-tree".into(), "-r".into(), "-z".into(), "--full-tree".into(), commit.clone().into()];
        for path in paths {
            let inside = inside(&root, path)?;
            // The root has no path of its own.
            if inside.as_os_str().is_empty() {
                arguments.truncate(5);
                break;
            }
            arguments.push(with_slashes(inside));
        }
        let listed = git(&named, &arguments)?.context("git cannot list the files of the base")?;
        let reader = Reader::start(&named)?;
        Ok(Self { root, named, commit, files: baked_files(&listed), reader })
    }

    /// The path in the checkout of a file or folder, which need not exist.
    ///
    /// # Errors
    /// Returns an error if the path is outside the checkout.
    pub(crate) fn inside(&self, path: &Path) -> anyhow::Result<PathBuf> {
        inside(&self.root, path)
    }

    /// True if the checkout has a file at this path in it now.
    pub(crate) fn is_there(&self, path: &Path) -> bool {
        self.root.join(path).is_file()
    }

    /// The paths of all baked files of the base that are below the paths of [`Base::open`].
    pub(crate) fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        self.files.keys()
    }

    /// The bytes of a baked file of the base, by its path in the checkout; `None` if the base has no such file.
    ///
    /// # Errors
    /// Returns an error if Git cannot read the file.
    pub(crate) fn bytes(&mut self, path: &Path) -> anyhow::Result<Option<Vec<u8>>> {
        let Some(id) = self.files.get(path).cloned() else { return Ok(None) };
        let shown = || format!("{} at the base", printable_path(path));
        let bytes = self.reader.read(&id).with_context(shown)?;
        if !bytes.starts_with(LFS_POINTER) {
            return Ok(Some(bytes));
        }
        // The filter of Git LFS replaces the pointer. `--batch` gives the size before filters, so this is a call of its own.
        let mut path_argument = OsString::from("--path=");
        path_argument.push(with_slashes(path.to_owned()));
        let arguments = ["cat-file".into(), "--filters".into(), path_argument, id.into()];
        let file = git(&self.named, &arguments).and_then(|file| file.context("Git LFS cannot get the file"));
        Ok(Some(file.with_context(shown)?))
    }
}

/// Reads the bytes of a baked file of the base.
///
/// # Errors
/// Returns an error if they are no baked file of a version that this program reads.
pub(crate) fn baked(path: &Path, bytes: &[u8]) -> anyhow::Result<BakedCharacter> {
    ensure!(
        !bytes.starts_with(LFS_POINTER),
        "{} at the base is a pointer of Git LFS; install Git LFS (`git lfs install`) so that git can read the file",
        printable_path(path)
    );
    baked_format::read(bytes).with_context(|| format!("{} at the base", printable_path(path)))
}

impl Reader {
    fn start(root: &Path) -> anyhow::Result<Self> {
        let mut command = command(root);
        command.args(["cat-file", "--batch"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::null()).spawn().map_err(no_git)?;
        let requests = child.stdin.take();
        let answers = BufReader::new(child.stdout.take().context("git has no output")?);
        Ok(Self { child, requests, answers })
    }

    fn read(&mut self, id: &str) -> anyhow::Result<Vec<u8>> {
        let requests = self.requests.as_mut().context("git has ended")?;
        requests.write_all(format!("{id}\n").as_bytes()).and_then(|()| requests.flush())?;
        let mut head = Vec::new();
        (&mut self.answers).take(1 << 12).read_until(b'\n', &mut head)?;
        let head = String::from_utf8_lossy(&head);
        let size = head.trim_end().rsplit(' ').next().and_then(|size| size.parse::<u64>().ok());
        let Some(size) = size.filter(|_| head.contains(" blob ")) else {
            bail!("git answered {:?} in place of a file", head.trim_end());
        };
        ensure!(size <= MOST_BYTES, "the file has {size} bytes, more than {MOST_BYTES}");
        let mut bytes = Vec::new();
        (&mut self.answers).take(size + 1).read_to_end(&mut bytes)?;
        ensure!(bytes.len() as u64 == size + 1, "git ended before the end of the file");
        bytes.pop();
        Ok(bytes)
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        // git ends when its input ends.
        drop(self.requests.take());
        let _ = self.child.wait();
    }
}

fn command(folder: &Path) -> Command {
    let mut command = Command::new("git");
    command.arg("-C").arg(folder).env("LC_ALL", "C").stdin(Stdio::null());
    command
}

/// The output of `git`, or `None` if it fails because of what it was told to do.
fn git<S: AsRef<OsStr>>(folder: &Path, arguments: &[S]) -> anyhow::Result<Option<Vec<u8>>> {
    let output = command(folder).args(arguments).output().map_err(no_git)?;
    let said = String::from_utf8_lossy(&output.stderr);
    // A checkout of another user is a checkout, but git refuses to read it.
    ensure!(!said.contains("dubious ownership"), "git refuses the checkout: {}", said.trim());
    Ok(output.status.success().then_some(output.stdout))
}

fn no_git(error: std::io::Error) -> anyhow::Error {
    match error.kind() {
        ErrorKind::NotFound => anyhow::anyhow!(
            "the program `git` was not found, but --base needs it; install Git and add it to the PATH, or leave out --base"
        ),
        _ => anyhow::Error::new(error).context("the program `git` does not start"),
    }
}

fn trimmed(output: &[u8]) -> &[u8] {
    output.strip_suffix(b"\n").map_or(output, |line| line.strip_suffix(b"\r").unwrap_or(line))
}

#[cfg(unix)]
fn path_of(bytes: &[u8]) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStrExt as _;
    Some(PathBuf::from(OsStr::from_bytes(bytes)))
}

#[cfg(not(unix))]
fn path_of(bytes: &[u8]) -> Option<PathBuf> {
    std::str::from_utf8(bytes).ok().map(|path| PathBuf::from(path.replace('/', std::path::MAIN_SEPARATOR_STR)))
}

/// The path as Git writes it.
fn with_slashes(path: PathBuf) -> OsString {
    match path.to_str() {
        Some(path) if cfg!(windows) => path.replace('\\', "/").into(),
        _ => path.into_os_string(),
    }
}

/// The baked files in the output of `git ls-tree -r -z`: `MODE TYPE ID`, a tab, the path, and a zero byte.
fn baked_files(listed: &[u8]) -> BTreeMap<PathBuf, String> {
    let file = |line: &[u8]| {
        let tab = line.iter().position(|&byte| byte == b'\t')?;
        let head = std::str::from_utf8(&line[..tab]).ok()?;
        let [_, "blob", id] = head.split(' ').collect::<Vec<_>>()[..] else { return None };
        let path = path_of(&line[tab + 1..])?;
        is_baked_file(&path).then(|| (path, id.to_owned()))
    };
    listed.split(|&byte| byte == 0).filter_map(file).collect()
}

/// The path of a file or folder in the checkout. The file need not exist, and a folder of it need not either.
fn inside(root: &Path, path: &Path) -> anyhow::Result<PathBuf> {
    let absolute = std::path::absolute(path).with_context(|| printable_path(path))?;
    let existing = absolute.ancestors().find_map(|ancestor| Some((ancestor, fs::canonicalize(ancestor).ok()?)));
    let (ancestor, real) = existing.with_context(|| printable_path(path))?;
    let rest = absolute.strip_prefix(ancestor).unwrap_or(Path::new(""));
    // A file that is a link is tracked as the link itself, so its own name counts.
    let real = match (absolute.parent(), absolute.file_name()) {
        (Some(parent), Some(name)) if rest.as_os_str().is_empty() && !path.is_dir() => {
            fs::canonicalize(parent).map_or(real, |parent| parent.join(name))
        }
        _ => real.join(rest),
    };
    real.strip_prefix(root)
        .map(Path::to_owned)
        .map_err(|_| anyhow::anyhow!("{} is outside the checkout {}", printable_path(path), printable_path(root)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn baked_files_are_read_from_a_listing() {
        let listed = b"100644 blob aa\ta/man.bonebox\x00100644 blob bb\tman.glb\x00160000 commit cc\tsub.bonebox\x00\
                       100644 blob dd\todd\tname\n.bonebox\0";
        let found: Vec<(PathBuf, String)> = baked_files(listed).into_iter().collect();
        assert_eq!(found, [("a/man.bonebox".into(), "aa".into()), ("odd\tname\n.bonebox".into(), "dd".into())]);
    }

    #[test]
    fn paths_in_a_checkout_need_not_exist() {
        let folder = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(folder.path()).unwrap();
        fs::create_dir(root.join("a")).unwrap();
        assert_eq!(inside(&root, &root.join("a/../a/none/man.bonebox")).unwrap(), Path::new("a/none/man.bonebox"));
        assert_eq!(inside(&root, &root).unwrap(), Path::new(""));
        let problem = inside(&root.join("a"), &root.join("b")).unwrap_err().to_string();
        assert!(problem.contains("is outside the checkout"), "{problem}");
    }
}
