//! A store in a bucket of a service that speaks S3.

use anyhow::Context as _;
use asset_bake::{AssetError, StorePlace, StoredEntry};
use object_store::aws::{AmazonS3, AmazonS3Builder, AmazonS3ConfigKey};
use object_store::path::Path as ObjectPath;
use object_store::{
    BackoffConfig, ClientOptions, Error, ObjectStore, ObjectStoreExt as _, PutMode, PutOptions, PutPayload, RetryConfig,
};
use std::future::Future;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};
use tokio::runtime::{Builder, Runtime};

/// The longest time for a connection. A store only saves time, so the program does not wait long for it.
const CONNECT: Duration = Duration::from_secs(5);

/// The longest time for one request.
const REQUEST: Duration = Duration::from_secs(30);

/// The program repeats a request so often, and so long, after an error of the service.
const RETRIES: RetryConfig = RetryConfig {
    backoff: BackoffConfig { init_backoff: Duration::from_millis(100), max_backoff: Duration::from_secs(2), base: 2.0 },
    max_retries: 3,
    retry_timeout: Duration::from_secs(20),
};

/// The entries below a prefix of a bucket.
#[derive(Debug)]
pub(crate) struct Bucket {
    service: AmazonS3,
    runtime: Runtime,
    bucket: String,
    prefix: String,
    /// `true` if the service cannot write an object only if there is none.
    lacks_create: AtomicBool,
}

impl Bucket {
    /// A bucket. The variables `AWS_*` have the credentials, the region and the address of the service.
    ///
    /// # Errors
    /// Returns an error if a variable is wrong.
    pub(crate) fn open(bucket: &str, prefix: &str) -> anyhow::Result<Self> {
        let client = ClientOptions::new().with_connect_timeout(CONNECT).with_timeout(REQUEST);
        let mut builder = AmazonS3Builder::new().with_client_options(client).with_retry(RETRIES);
        for (name, value) in std::env::vars_os() {
            let (Some(name), Some(value)) = (name.to_str(), value.to_str()) else { continue };
            // Many of these variables are for other programs.
            if name.starts_with("AWS_")
                && let Ok(key) = name.to_ascii_lowercase().parse::<AmazonS3ConfigKey>()
            {
                builder = builder.with_config(key, value);
            }
        }
        let service = builder.with_bucket_name(bucket).build();
        let service = service
            .with_context(|| format!("the store s3://{bucket}/{prefix} cannot be opened; check the variables AWS_*"))?;
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        let (bucket, prefix) = (bucket.to_owned(), prefix.to_owned());
        Ok(Self { service, runtime, bucket, prefix, lacks_create: AtomicBool::new(false) })
    }

    fn object(&self, name: &str) -> ObjectPath {
        ObjectPath::from(format!("{}/{name}", self.prefix).trim_start_matches('/'))
    }

    /// Waits for the service, and gives an error the address of the entry.
    fn wait<T>(
        &self,
        action: &'static str,
        name: &str,
        work: impl Future<Output = Result<T, Error>>,
    ) -> Result<T, AssetError> {
        self.runtime.block_on(work).map_err(|error| AssetError::File {
            action,
            path: self.address(name),
            source: io::Error::other(error),
        })
    }

    async fn put(&self, name: &str, bytes: &[u8], mode: PutMode) -> Result<(), Error> {
        let payload = PutPayload::from(bytes.to_vec());
        self.service.put_opts(&self.object(name), payload, PutOptions::from(mode)).await.map(drop)
    }
}

impl StorePlace for Bucket {
    fn read(&self, name: &str) -> Result<Option<Vec<u8>>, AssetError> {
        let read = async {
            match self.service.get(&self.object(name)).await {
                Ok(found) => Ok(Some(found.bytes().await?.to_vec())),
                Err(Error::NotFound { .. }) => Ok(None),
                Err(error) => Err(error),
            }
        };
        self.wait("read", name, read)
    }

    fn write(&self, name: &str, bytes: &[u8], replaces: bool) -> Result<(), AssetError> {
        let write = async {
            if replaces || self.lacks_create.load(Ordering::Relaxed) {
                return self.put(name, bytes, PutMode::Overwrite).await;
            }
            match self.put(name, bytes, PutMode::Create).await {
                Err(Error::AlreadyExists { .. }) => Ok(()),
                Err(error) if is_not_implemented(&error) => {
                    self.lacks_create.store(true, Ordering::Relaxed);
                    self.put(name, bytes, PutMode::Overwrite).await
                }
                done => done,
            }
        };
        self.wait("write", name, write)
    }

    fn remove(&self, name: &str) -> Result<(), AssetError> {
        let remove = async {
            match self.service.delete(&self.object(name)).await {
                Err(Error::NotFound { .. }) => Ok(()),
                done => done,
            }
        };
        self.wait("remove", name, remove)
    }

    /// An object has only the time when it was written; a new time would cost as much as writing it again.
    fn mark_used(&self, _name: &str) {}

    fn list(&self) -> Result<Vec<StoredEntry>, AssetError> {
        let list = async {
            let within = self.object("");
            let mut entries = Vec::new();
            for folder in self.service.list_with_delimiter(Some(&within)).await?.common_prefixes {
                for object in self.service.list_with_delimiter(Some(&folder)).await?.objects {
                    let name = object.location.as_ref().strip_prefix(within.as_ref()).unwrap_or_default();
                    let age = SystemTime::now().duration_since(object.last_modified.into());
                    entries.push(StoredEntry {
                        name: name.trim_start_matches('/').to_owned(),
                        bytes: object.size,
                        unused_for: age.unwrap_or_default(),
                    });
                }
            }
            Ok(entries)
        };
        self.wait("list", "", list)
    }

    fn address(&self, name: &str) -> PathBuf {
        format!("s3://{}/{}", self.bucket, self.object(name)).into()
    }
}

/// Returns true if the service does not know the header for a write only if there is no object.
fn is_not_implemented(error: &Error) -> bool {
    matches!(error, Error::NotImplemented { .. } | Error::NotSupported { .. })
        || error.to_string().contains("501 Not Implemented")
}
