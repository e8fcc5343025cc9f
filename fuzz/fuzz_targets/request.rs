//! The fuzz target `request`. In: bytes of libFuzzer. Out: nothing; what must hold is in `unisono_fuzz::request`.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| unisono_fuzz::request(input));
