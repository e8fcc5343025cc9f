//! Tests of single aggregates over hand-written values.
