//! The importer against the corpus of real, derived and broken files.
mod characters;
mod damaged;
mod files;
mod malformed;
mod variants;
