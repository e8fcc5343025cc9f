//! The fuzz target `document`. In: bytes of libFuzzer. Out: nothing; what must hold is in `unisono_fuzz::document`.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| unisono_fuzz::document(input));
