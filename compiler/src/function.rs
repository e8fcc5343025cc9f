//! The functions that the compiler knows, by meaning (docs/semantics.md, functions): operators, scalars, aggregates, windows.
//! Sugar is gone here: IF, IFF, NVL, BETWEEN, COUNT_IF and their like became CASE, COALESCE and comparisons in `resolve`.

/// A unit of date truncation, addition and difference.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Unit {
    /// Year.
    Year,
    /// Quarter.
    Quarter,
    /// Month.
    Month,
    /// ISO week, from Monday.
    Week,
    /// Day.
    Day,
    /// Hour.
    Hour,
    /// Minute.
    Minute,
    /// Second.
    Second,
}

impl Unit {
    /// Every unit, longest first.
    pub const ALL: [Unit; 8] = [
        Unit::Year,
        Unit::Quarter,
        Unit::Month,
        Unit::Week,
        Unit::Day,
        Unit::Hour,
        Unit::Minute,
        Unit::Second,
    ];

    /// Lower-case word.
    pub fn as_str(self) -> &'static str {
        match self {
            Unit::Year => "year",
            Unit::Quarter => "quarter",
            Unit::Month => "month",
            Unit::Week => "week",
            Unit::Day => "day",
            Unit::Hour => "hour",
            Unit::Minute => "minute",
            Unit::Second => "second",
        }
    }

    /// The unit of a word in any case, if it is one.
    pub fn parse(word: &str) -> Option<Unit> {
        Unit::ALL.into_iter().find(|unit| unit.as_str().eq_ignore_ascii_case(word))
    }

    /// Day and longer: a Date stays a Date.
    pub fn is_day_or_longer(self) -> bool {
        self <= Unit::Day
    }
}

/// A part that EXTRACT takes out of a date or time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Part {
    /// Year.
    Year,
    /// 1 to 4.
    Quarter,
    /// 1 to 12.
    Month,
    /// ISO week, 1 to 53.
    Week,
    /// Day of the month.
    Day,
    /// 1 to 366.
    DayOfYear,
    /// 1 = Sunday to 7.
    DayOfWeek,
    /// 0 to 23.
    Hour,
    /// 0 to 59.
    Minute,
    /// 0 to 59, cut off.
    Second,
    /// Of the second, 0 to 999.
    Millisecond,
}

impl Part {
    /// Every part.
    pub const ALL: [Part; 11] = [
        Part::Year,
        Part::Quarter,
        Part::Month,
        Part::Week,
        Part::Day,
        Part::DayOfYear,
        Part::DayOfWeek,
        Part::Hour,
        Part::Minute,
        Part::Second,
        Part::Millisecond,
    ];

    /// Lower-case word.
    pub fn as_str(self) -> &'static str {
        match self {
            Part::Year => "year",
            Part::Quarter => "quarter",
            Part::Month => "month",
            Part::Week => "week",
            Part::Day => "day",
            Part::DayOfYear => "dayofyear",
            Part::DayOfWeek => "dayofweek",
            Part::Hour => "hour",
            Part::Minute => "minute",
            Part::Second => "second",
            Part::Millisecond => "millisecond",
        }
    }

    /// The part of a word in any case (`doy` and `dow` too), if it is one.
    pub fn parse(word: &str) -> Option<Part> {
        match word.to_ascii_lowercase().as_str() {
            "doy" => Some(Part::DayOfYear),
            "dow" => Some(Part::DayOfWeek),
            folded => Part::ALL.into_iter().find(|part| part.as_str() == folded),
        }
    }
}

macro_rules! functions {
    ($(#[doc = $enum_doc:literal])* $enum:ident { $($(#[doc = $doc:literal])* $variant:ident = $name:literal,)* }) => {
        $(#[doc = $enum_doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum $enum { $($(#[doc = $doc])* $variant,)* }

        impl $enum {
            /// Every function, in the order of docs/semantics.md.
            pub const ALL: &'static [$enum] = &[$($enum::$variant,)*];

            /// The name in messages and plans.
            pub fn name(self) -> &'static str {
                match self { $($enum::$variant => $name,)* }
            }
        }
    };
}

functions! {
    /// Scalar functions and operators without parameters of their own.
    Scalar {
        /// Addition.
        Add = "+",
        /// Subtraction.
        Subtract = "-",
        /// Multiplication.
        Multiply = "*",
        /// Float64 division, NULL by zero.
        Divide = "/",
        /// Remainder with the dividend's sign, NULL by zero.
        Modulo = "%",
        /// Sign change.
        Negate = "NEGATE",
        /// Absolute value.
        Abs = "ABS",
        /// Half away from zero; one or two arguments, the second a literal.
        Round = "ROUND",
        /// Toward minus infinity.
        Floor = "FLOOR",
        /// Toward plus infinity.
        Ceiling = "CEILING",
        /// Toward zero; one or two arguments.
        Truncate = "TRUNC",
        /// -1, 0, 1.
        Sign = "SIGN",
        /// x to the y.
        Power = "POWER",
        /// Square root, NULL below zero.
        Sqrt = "SQRT",
        /// e to the x, NULL on overflow.
        Exp = "EXP",
        /// Natural logarithm, NULL at or below zero.
        Ln = "LN",
        /// Logarithm of base 10.
        Log10 = "LOG10",
        /// LOG(base, x).
        Log = "LOG",
        /// Sine.
        Sin = "SIN",
        /// Cosine.
        Cos = "COS",
        /// Tangent.
        Tan = "TAN",
        /// Arc sine.
        Asin = "ASIN",
        /// Arc cosine.
        Acos = "ACOS",
        /// Arc tangent.
        Atan = "ATAN",
        /// Arc tangent of y/x.
        Atan2 = "ATAN2",
        /// Degrees to radians.
        Radians = "RADIANS",
        /// Radians to degrees.
        Degrees = "DEGREES",
        /// The constant.
        Pi = "PI",
        /// NULL if any argument is NULL.
        Greatest = "GREATEST",
        /// NULL if any argument is NULL.
        Least = "LEAST",
        /// Equal.
        Equal = "=",
        /// Not equal.
        NotEqual = "<>",
        /// Less.
        Less = "<",
        /// Less or equal.
        LessEqual = "<=",
        /// Greater.
        Greater = ">",
        /// Greater or equal.
        GreaterEqual = ">=",
        /// NULL-safe difference.
        IsDistinctFrom = "IS DISTINCT FROM",
        /// NULL-safe equality.
        IsNotDistinctFrom = "IS NOT DISTINCT FROM",
        /// Is NULL.
        IsNull = "IS NULL",
        /// Is not NULL.
        IsNotNull = "IS NOT NULL",
        /// Three-valued and.
        And = "AND",
        /// Three-valued or.
        Or = "OR",
        /// Three-valued not.
        Not = "NOT",
        /// First argument that is not NULL.
        Coalesce = "COALESCE",
        /// NULL if the two are equal.
        NullIf = "NULLIF",
        /// NULL if any part is NULL; two or more Strings.
        Concat = "CONCAT",
        /// Characters.
        Length = "LENGTH",
        /// Upper case, fixed for ASCII.
        Upper = "UPPER",
        /// Lower case, fixed for ASCII.
        Lower = "LOWER",
        /// Blanks, or the one character of the second argument, from both ends.
        Trim = "TRIM",
        /// From the start.
        TrimLeading = "LTRIM",
        /// From the end.
        TrimTrailing = "RTRIM",
        /// SUBSTRING(s, start[, length]).
        Substring = "SUBSTRING",
        /// First n characters.
        Left = "LEFT",
        /// Last n characters.
        Right = "RIGHT",
        /// All occurrences.
        Replace = "REPLACE",
        /// SPLIT_PART(s, delimiter, n).
        SplitPart = "SPLIT_PART",
        /// POSITION(needle IN haystack), from 1, 0 if absent; arguments needle, haystack.
        Position = "POSITION",
        /// CONTAINS(s, part).
        Contains = "CONTAINS",
        /// STARTSWITH(s, part).
        StartsWith = "STARTSWITH",
        /// ENDSWITH(s, part).
        EndsWith = "ENDSWITH",
        /// `%` and `_`, case-sensitive.
        Like = "LIKE",
        /// LIKE of both lower-cased.
        ILike = "ILIKE",
        /// Partial match.
        RegexpLike = "REGEXP_LIKE",
        /// All matches.
        RegexpReplace = "REGEXP_REPLACE",
        /// First match or NULL.
        RegexpExtract = "REGEXP_EXTRACT",
        /// Number of matches.
        RegexpCount = "REGEXP_COUNT",
        /// First letters upper-cased.
        Initcap = "INITCAP",
        /// Characters in reverse.
        Reverse = "REVERSE",
        /// REPEAT(s, n).
        Repeat = "REPEAT",
        /// LPAD(s, n, fill).
        PadLeft = "LPAD",
        /// RPAD(s, n, fill).
        PadRight = "RPAD",
        /// Strict ISO text to Date, NULL if it is none.
        ToDate = "TO_DATE",
        /// Strict ISO text to Timestamp, NULL if it is none.
        ToTimestamp = "TO_TIMESTAMP",
    }
}

/// A scalar function, with the unit or part where it has one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Function {
    /// Without a parameter.
    Scalar(Scalar),
    /// DATE_TRUNC(unit, x): one argument here; the type stays.
    DateTrunc(Unit),
    /// EXTRACT(part FROM x): one argument, Int64.
    Extract(Part),
    /// DATEADD(unit, n, x): two arguments, n first.
    DateAdd(Unit),
    /// DATEDIFF(unit, a, b): two arguments, boundaries crossed from a to b.
    DateDiff(Unit),
}

impl Scalar {
    /// A function of the mathematical library: a double, rounded differently by engines, and finite or NULL.
    pub fn is_mathematical(self) -> bool {
        matches!(
            self,
            Scalar::Power
                | Scalar::Sqrt
                | Scalar::Exp
                | Scalar::Ln
                | Scalar::Log10
                | Scalar::Log
                | Scalar::Sin
                | Scalar::Cos
                | Scalar::Tan
                | Scalar::Asin
                | Scalar::Acos
                | Scalar::Atan
                | Scalar::Atan2
                | Scalar::Radians
                | Scalar::Degrees
                | Scalar::Pi
        )
    }
}

impl Function {
    /// The name in messages and plans.
    pub fn name(self) -> String {
        match self {
            Function::Scalar(scalar) => scalar.name().to_string(),
            Function::DateTrunc(unit) => format!("DATE_TRUNC({})", unit.as_str()),
            Function::Extract(part) => format!("EXTRACT({})", part.as_str()),
            Function::DateAdd(unit) => format!("DATEADD({})", unit.as_str()),
            Function::DateDiff(unit) => format!("DATEDIFF({})", unit.as_str()),
        }
    }
}

functions! {
    /// Aggregate functions. AVG became SUM over COUNT in `resolve`,
    /// COUNT_IF the COUNT of a CASE, BOOL_AND the MIN of a CASE.
    AggregateFunction {
        /// Rows; no argument.
        CountRows = "COUNT(*)",
        /// Values that are not NULL.
        Count = "COUNT",
        /// Exact; the argument has the sum's type already.
        Sum = "SUM",
        /// Least value.
        Min = "MIN",
        /// Greatest value.
        Max = "MAX",
        /// Sample standard deviation of Float64.
        StddevSamp = "STDDEV_SAMP",
        /// Population standard deviation.
        StddevPop = "STDDEV_POP",
        /// Sample variance.
        VarSamp = "VAR_SAMP",
        /// Population variance.
        VarPop = "VAR_POP",
        /// Linear interpolation at 0.5, Float64.
        Median = "MEDIAN",
        /// Linear interpolation; the fraction is the second argument, a literal.
        PercentileCont = "PERCENTILE_CONT",
        /// Smallest value whose cumulative share reaches the fraction, the second argument.
        PercentileDisc = "PERCENTILE_DISC",
        /// x of the row with the least y: arguments x, y.
        MinBy = "MIN_BY",
        /// x of the row with the greatest y: arguments x, y.
        MaxBy = "MAX_BY",
        /// Texts in a total order: arguments text, separator.
        ListAgg = "LISTAGG",
        /// Correlation.
        Corr = "CORR",
        /// Population covariance.
        CovarPop = "COVAR_POP",
        /// Sample covariance.
        CovarSamp = "COVAR_SAMP",
    }
}

functions! {
    /// Window functions that are no aggregates.
    Ranking {
        /// 1, 2, 3 ...
        RowNumber = "ROW_NUMBER",
        /// With gaps.
        Rank = "RANK",
        /// Without gaps.
        DenseRank = "DENSE_RANK",
        /// NTILE(n).
        Ntile = "NTILE",
        /// (rank - 1) / (rows - 1).
        PercentRank = "PERCENT_RANK",
        /// Share of rows up to here.
        CumeDist = "CUME_DIST",
        /// LAG(x[, n[, default]]).
        Lag = "LAG",
        /// LEAD(x[, n[, default]]).
        Lead = "LEAD",
        /// First value of the frame.
        FirstValue = "FIRST_VALUE",
        /// Last value of the frame.
        LastValue = "LAST_VALUE",
        /// NTH_VALUE(x, n).
        NthValue = "NTH_VALUE",
    }
}

/// What a window computes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum WindowFunction {
    /// Ranking and navigation.
    Ranking(Ranking),
    /// An aggregate over the frame.
    Aggregate(AggregateFunction),
}

impl WindowFunction {
    /// The name in messages and plans.
    pub fn name(self) -> &'static str {
        match self {
            WindowFunction::Ranking(ranking) => ranking.name(),
            WindowFunction::Aggregate(function) => function.name(),
        }
    }
}
