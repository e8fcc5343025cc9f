//! One well-typed call of every function, over the table of all types.

use unisono_compiler::data_type::DataType;
use unisono_compiler::expr::{ExprKind, OrderKey};
use unisono_compiler::function::{AggregateFunction, Function, Ranking, Scalar, WindowFunction};
use unisono_compiler::relation::RelExpr;

use super::relations::{
    BIG, BOOLEAN, DATE, DOUBLE, RUNNING, TEXT, TIMESTAMP, aggregate, ascending, b, column, d, decimal,
    distinct, exact, f, function, i, integer, s, scalar, text, window,
};

/// A call of a scalar function.
pub(crate) fn scalar_sample(wanted: Function) -> RelExpr {
    match wanted {
        Function::Scalar(name) => sample_of(name),
        Function::DateTrunc(_) => function(wanted, vec![column("t", "ts", TIMESTAMP)], TIMESTAMP),
        Function::Extract(_) => function(wanted, vec![column("t", "ts", TIMESTAMP)], BIG),
        Function::DateAdd(_) => function(wanted, vec![i(), column("t", "ts", TIMESTAMP)], TIMESTAMP),
        Function::DateDiff(_) => {
            function(wanted, vec![column("t", "day", DATE), column("t", "ts", TIMESTAMP)], BIG)
        }
    }
}

fn sample_of(name: Scalar) -> RelExpr {
    let call = |arguments: Vec<RelExpr>, data_type: DataType| scalar(name, arguments, data_type);
    let truth = || scalar(Scalar::Greater, vec![i(), integer("1")], BOOLEAN);
    match name {
        Scalar::Add | Scalar::Subtract | Scalar::Multiply => call(vec![b(), i()], BIG),
        Scalar::Divide => call(vec![d(), i()], DOUBLE),
        Scalar::Modulo => call(vec![b(), b()], BIG),
        Scalar::Negate | Scalar::Abs => call(vec![b()], BIG),
        Scalar::Round | Scalar::Truncate => call(vec![d(), integer("1")], decimal(10, 1)),
        Scalar::Floor | Scalar::Ceiling => call(vec![d()], decimal(10, 0)),
        Scalar::Sign => call(vec![d()], BIG),
        Scalar::Power | Scalar::Log | Scalar::Atan2 => call(vec![f(), f()], DOUBLE),
        Scalar::Sqrt
        | Scalar::Exp
        | Scalar::Ln
        | Scalar::Log10
        | Scalar::Sin
        | Scalar::Cos
        | Scalar::Tan
        | Scalar::Asin
        | Scalar::Acos
        | Scalar::Atan
        | Scalar::Radians
        | Scalar::Degrees => call(vec![f()], DOUBLE),
        Scalar::Pi => call(Vec::new(), DOUBLE),
        Scalar::Greatest | Scalar::Least => call(vec![b(), integer("3")], BIG),
        Scalar::Equal
        | Scalar::NotEqual
        | Scalar::Less
        | Scalar::LessEqual
        | Scalar::Greater
        | Scalar::GreaterEqual
        | Scalar::IsDistinctFrom
        | Scalar::IsNotDistinctFrom
        | Scalar::Contains
        | Scalar::StartsWith
        | Scalar::EndsWith => call(vec![s(), text("x")], BOOLEAN),
        Scalar::IsNull | Scalar::IsNotNull => call(vec![s()], BOOLEAN),
        Scalar::And | Scalar::Or => call(vec![truth(), truth()], BOOLEAN),
        Scalar::Not => call(vec![truth()], BOOLEAN),
        Scalar::Coalesce => call(vec![s(), text("none")], TEXT),
        Scalar::Concat => call(vec![s(), text("!"), s()], TEXT),
        Scalar::Length => call(vec![s()], BIG),
        Scalar::Upper | Scalar::Lower | Scalar::Initcap | Scalar::Reverse => call(vec![s()], TEXT),
        Scalar::NullIf | Scalar::Trim | Scalar::TrimLeading | Scalar::TrimTrailing => {
            call(vec![s(), text("x")], TEXT)
        }
        Scalar::Substring => call(vec![text("abcdef"), b(), integer("2")], TEXT),
        Scalar::Left | Scalar::Right | Scalar::Repeat => call(vec![text("abc"), b()], TEXT),
        Scalar::Replace => call(vec![s(), text("x"), text("yy")], TEXT),
        Scalar::SplitPart => call(vec![text("a,b,c"), text(","), b()], TEXT),
        Scalar::Position => call(vec![text("x"), s()], BIG),
        Scalar::Like | Scalar::ILike => call(vec![s(), text("X%")], BOOLEAN),
        Scalar::RegexpLike => call(vec![s(), text("[a-x]")], BOOLEAN),
        Scalar::RegexpReplace => call(vec![s(), text("[a-x]"), text("q")], TEXT),
        Scalar::RegexpExtract => call(vec![s(), text("[a-x]+")], TEXT),
        Scalar::RegexpCount => call(vec![s(), text("[a-x]")], BIG),
        Scalar::PadLeft | Scalar::PadRight => call(vec![s(), b(), text("*")], TEXT),
        Scalar::ToDate => call(vec![text("2024-02-29")], DATE),
        Scalar::ToTimestamp => call(vec![text("2024-02-29 10:11:12")], TIMESTAMP),
    }
}

/// A call of an aggregate.
pub(crate) fn aggregate_sample(name: AggregateFunction) -> RelExpr {
    match name {
        AggregateFunction::CountRows => aggregate(name, Vec::new(), BIG),
        AggregateFunction::Count => distinct(name, vec![s(), i()], BIG),
        AggregateFunction::Sum => aggregate(name, vec![column("t", "m", decimal(38, 2))], decimal(38, 2)),
        AggregateFunction::Min | AggregateFunction::Max => aggregate(name, vec![s()], TEXT),
        AggregateFunction::StddevSamp
        | AggregateFunction::StddevPop
        | AggregateFunction::VarSamp
        | AggregateFunction::VarPop
        | AggregateFunction::Median => aggregate(name, vec![f()], DOUBLE),
        AggregateFunction::PercentileCont | AggregateFunction::PercentileDisc => {
            aggregate(name, vec![f(), exact("0.25", decimal(2, 2))], DOUBLE)
        }
        AggregateFunction::MinBy | AggregateFunction::MaxBy => aggregate(name, vec![s(), i()], TEXT),
        AggregateFunction::ListAgg => {
            let mut list = aggregate(name, vec![s(), text(", ")], TEXT);
            if let ExprKind::Aggregate(aggregate) = &mut *list.kind {
                aggregate.order_by =
                    vec![OrderKey { expr: s(), descending: true, nulls_first: true }, ascending(i())];
            }
            list
        }
        AggregateFunction::Corr | AggregateFunction::CovarPop | AggregateFunction::CovarSamp => {
            aggregate(name, vec![f(), f()], DOUBLE)
        }
    }
}

/// A call of a ranking function.
pub(crate) fn ranking_sample(name: Ranking) -> RelExpr {
    let (arguments, frame, data_type) = match name {
        Ranking::RowNumber | Ranking::Rank | Ranking::DenseRank => (Vec::new(), None, BIG),
        Ranking::Ntile => (vec![integer("2")], None, BIG),
        Ranking::PercentRank | Ranking::CumeDist => (Vec::new(), None, DOUBLE),
        Ranking::Lag | Ranking::Lead => (vec![b(), integer("1"), integer("0")], None, BIG),
        Ranking::FirstValue | Ranking::LastValue => (vec![b()], Some(RUNNING), BIG),
        Ranking::NthValue => (vec![b(), integer("2")], Some(RUNNING), BIG),
    };
    window(WindowFunction::Ranking(name), arguments, Vec::new(), vec![ascending(i())], frame, data_type)
}
