//! Reads the bytes of buffers: in data URIs, and in other files.

pub(crate) mod buffers;
pub(crate) mod data_uri;
pub(crate) mod resolve;
