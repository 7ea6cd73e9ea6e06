//! Compares the importer with expected results for the corpus of real, derived and malformed files.
mod characters;
mod damaged;
mod files;
mod malformed;
mod variants;
