//! Made-up characters with known answers, as arrays and as GLB bytes.
