//! Reads the bytes of a file: the container, buffers in data URIs, and buffers in other files.

pub(crate) mod glb;
pub(crate) mod buffers;
pub(crate) mod data_uri;
pub(crate) mod resolve;
