//! bonebox against other libraries and against the corpus.
