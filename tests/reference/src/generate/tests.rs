//! What random cases must be. Shares are counted over 2,000 seeds; the floors leave room below what was measured.

use std::collections::BTreeMap;

use unisono_compiler::query::parse_request;
use unisono_compiler::source::SourceId;
use unisono_compiler::syntax::parse_document;

use super::*;

const SEEDS: u64 = 2_000;

#[test]
fn a_seed_gives_the_same_case() {
    for seed in [0, 1, 77, u64::MAX] {
        assert_eq!(case(seed), case(seed));
    }
    assert_ne!(case(1).case, case(2).case);
}

#[test]
fn every_text_can_be_read() {
    for seed in 0..SEEDS {
        let case = case(seed).case;
        let (document, findings) = parse_document(SourceId(0), &case.model);
        assert!(document.is_some() && findings.is_empty(), "seed {seed}: {findings:?}\n{}", case.model);
        let (request, findings) = parse_request(SourceId(0), &case.request);
        assert!(request.is_some() && findings.is_empty(), "seed {seed}: {findings:?}\n{}", case.request);
        assert!(!case.model.contains("gone_name") && !case.request.contains("gone_name"), "seed {seed}");
    }
}

#[test]
fn declared_primary_keys_are_keys() {
    for seed in 0..500 {
        let shape = case(seed).shape;
        for dataset in &shape.datasets {
            let Some(table) = shape.tables.get(dataset.table) else { continue };
            let mut seen = Vec::new();
            for row in &table.rows {
                let key: Vec<_> = dataset.primary.iter().map(|column| row[*column].clone()).collect();
                assert!(!key.contains(&crate::value::Value::Null), "seed {seed}");
                assert!(dataset.primary.is_empty() || !seen.contains(&key), "seed {seed}");
                seen.push(key);
            }
        }
    }
}

/// Floors in thousandths of all cases.
#[test]
fn every_feature_comes_often_enough() {
    let mut counts: BTreeMap<Feature, usize> = BTreeMap::new();
    let mut dirty = 0;
    for seed in 0..SEEDS {
        let features = case(seed).features;
        let all = [Feature::NullKey, Feature::DuplicateKey, Feature::EmptyTable];
        dirty += usize::from(all.iter().all(|one| features.contains(one)));
        for feature in features {
            *counts.entry(feature).or_default() += 1;
        }
    }
    let share = |feature: Feature| counts.get(&feature).copied().unwrap_or(0) * 1000 / 2_000;
    for feature in [
        Feature::Bridge,
        Feature::Stitch,
        Feature::FinerDimension,
        Feature::Orphan,
        Feature::Having,
        Feature::Window,
        Feature::Median,
        Feature::Illegal,
    ] {
        assert!(share(feature) >= 50, "{feature:?} in {} of 1000: {counts:?}", share(feature));
    }
    for feature in [Feature::Scalar, Feature::DimensionOnly, Feature::Where, Feature::OrderBy, Feature::Limit]
    {
        assert!(share(feature) >= 40, "{feature:?} in {} of 1000: {counts:?}", share(feature));
    }
    for feature in
        [Feature::MetricTime, Feature::Grain, Feature::FarPredicate, Feature::NToN, Feature::Distinct]
    {
        assert!(share(feature) >= 15, "{feature:?} in {} of 1000: {counts:?}", share(feature));
    }
    assert!(dirty * 1000 / 2_000 >= 300, "NULL keys, doubles and an empty table: {dirty} of 2000");
}
