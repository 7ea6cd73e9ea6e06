//! The importer against the corpus of real, derived and broken files; skipped where that is absent.
mod characters;
mod files;
mod malformed;
mod variants;
