//! The demo's script. In: nothing. Out: its steps in order.

/// One step.
pub(super) enum Step {
    /// What happens, and why.
    Say(&'static str),
    /// A command of this program, with the exit code that it ends with.
    Unisono {
        /// The words after the program's name.
        arguments: &'static str,
        /// 0, or what a difference or a refusal gives.
        exit: i32,
    },
    /// A file copied over another one.
    Copy {
        /// What is copied.
        from: &'static str,
        /// What it replaces.
        to: &'static str,
    },
}

const fn unisono(arguments: &'static str) -> Step {
    Step::Unisono { arguments, exit: 0 }
}

/// The whole story.
pub(super) const STORY: &[Step] = &[
    Step::Say("A market: trades and quotes go into Paimon tables. Keys and types come from the model."),
    Step::Copy { from: "changes/start.yaml", to: "models/candles.yaml" },
    unisono("load market.symbols data/symbols.csv"),
    unisono("load market.trades data/trades.csv"),
    unisono("load market.quotes data/quotes.csv"),
    Step::Say(
        "The real-time engine keeps three rollups; the batch engine then answers the same questions,\nand `check` compares every group of every metric on the same snapshots.",
    ),
    unisono("pipeline run"),
    unisono("check"),
    unisono("checkpoint opening"),
    Step::Say(
        "Late trades, corrections and busted trades arrive. They go onto a branch: main does not move.\nThe rollups follow from the change alone.",
    ),
    unisono("branch create corrections"),
    unisono("load market.trades data/late_trades.csv --branch corrections"),
    unisono("load market.trades data/corrections.csv --upsert --branch corrections"),
    unisono("load market.trades data/cancellations.csv --upsert --branch corrections"),
    unisono("load market.trades data/removals.csv --delete --branch corrections"),
    unisono("pipeline run --branch corrections"),
    unisono("check --branch corrections"),
    Step::Say(
        "Somebody makes vwap \"faster\" on the batch engine: a variant that averages prices.\nReal time and batch now mean two things by one name.",
    ),
    Step::Copy { from: "changes/vwap_per_engine.yaml", to: "models/candles.yaml" },
    Step::Unisono { arguments: "check sector_turnover --branch corrections", exit: 1 },
    Step::Say(
        "The merge runs the checks on exactly the state that main would get, and refuses.\n`--quiet` leaves out the warning that was shown already, here and below.",
    ),
    Step::Unisono { arguments: "branch merge corrections --quiet", exit: 1 },
    Step::Say("The variant is mended: it weights by volume again."),
    Step::Copy { from: "changes/vwap_mended.yaml", to: "models/candles.yaml" },
    unisono("check --branch corrections"),
    unisono("branch merge corrections --quiet"),
    Step::Say(
        "Main has the corrections, with rollups that were proved on it. The opening can still be read.",
    ),
    unisono("query --metrics volume,vwap --by symbols.sector --order symbols.sector --quiet"),
    unisono("query --metrics volume,vwap --by symbols.sector --order symbols.sector --at opening --quiet"),
];
