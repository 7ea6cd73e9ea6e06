//! The address of a store on the command line: a folder, or a bucket of a service that speaks S3.

use asset_bake::Store;
use std::ffi::OsString;
use std::path::PathBuf;

/// The first letters of the address of a bucket.
const SCHEME: &str = "s3://";

/// Where a store is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum StoreAddress {
    Folder(PathBuf),
    Bucket {
        bucket: String,
        /// The first part of the names of all entries, without slashes at its ends; may be empty.
        prefix: String,
    },
}

impl From<OsString> for StoreAddress {
    fn from(text: OsString) -> Self {
        match text.to_str().and_then(|text| text.strip_prefix(SCHEME)) {
            Some(rest) => {
                let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
                Self::Bucket { bucket: bucket.to_owned(), prefix: prefix.trim_matches('/').to_owned() }
            }
            None => Self::Folder(text.into()),
        }
    }
}

impl StoreAddress {
    /// Opens the store. A bucket is not asked before its first use.
    ///
    /// # Errors
    /// Returns an error if the address has no bucket, the variables for it are wrong, or this program was built without buckets.
    pub(crate) fn open(&self) -> anyhow::Result<Store> {
        match self {
            Self::Folder(folder) => Ok(Store::in_folder(folder)),
            Self::Bucket { bucket, prefix } => {
                anyhow::ensure!(!bucket.is_empty(), "{SCHEME} has no bucket; write {SCHEME}BUCKET/PREFIX");
                open_bucket(bucket, prefix)
            }
        }
    }
}

#[cfg(feature = "cloud")]
fn open_bucket(bucket: &str, prefix: &str) -> anyhow::Result<Store> {
    Ok(Store::at(std::sync::Arc::new(crate::bucket::Bucket::open(bucket, prefix)?)))
}

#[cfg(not(feature = "cloud"))]
fn open_bucket(bucket: &str, prefix: &str) -> anyhow::Result<Store> {
    anyhow::bail!(
        "{SCHEME}{bucket}/{prefix}: this program was built without buckets; build it with `--features cloud`, or name a folder"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_a_folder_or_a_bucket() {
        let address = |text: &str| StoreAddress::from(OsString::from(text));
        let bucket = |bucket: &str, prefix: &str| StoreAddress::Bucket { bucket: bucket.into(), prefix: prefix.into() };
        assert_eq!(address("s3://studio/bakes/main/"), bucket("studio", "bakes/main"));
        assert_eq!(address("s3://studio"), bucket("studio", ""));
        assert_eq!(address("s3:/studio"), StoreAddress::Folder("s3:/studio".into()));
        let told = address("s3:///x").open().unwrap_err().to_string();
        assert!(told.contains("s3://BUCKET/PREFIX"), "{told}");
        if cfg!(not(feature = "cloud")) {
            let told = address("s3://studio/bakes").open().unwrap_err().to_string();
            assert!(told.starts_with("s3://studio/bakes: ") && told.contains("--features cloud"), "{told}");
        }
    }
}
