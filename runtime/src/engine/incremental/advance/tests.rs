//! Tests of steps: what is written, and what is read for it.
