//! The number that a line carries.

/// The place that a line says it has; the order of a rollout is that of its lines, whatever their ordinals say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ordinal {
    /// A whole number, however it was written: `26`, `26.0` and `2.6e1` are one.
    Number(u64),
    /// Something else: negative, broken, too large, or no number. The line still counts as one.
    Odd,
}

impl Ordinal {
    /// Reads the JSON text of an ordinal; `null` is none.
    pub fn parse(json: &str) -> Option<Self> {
        if json == "null" {
            return None;
        }
        Some(json.parse().ok().or_else(|| from_float(json)).map_or(Self::Odd, Self::Number))
    }

    /// The number, where it is one.
    pub const fn number(self) -> Option<u64> {
        match self {
            Self::Number(number) => Some(number),
            Self::Odd => None,
        }
    }
}

/// Takes a float that is a whole number, small enough that no digit was lost.
fn from_float(json: &str) -> Option<u64> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let number: f64 = json.parse().ok()?;
    if !(0.0..=EXACT).contains(&number) || number.fract() != 0.0 {
        return None;
    }
    format!("{number:.0}").trim_start_matches('-').parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_a_whole_number_counts() {
        for (json, expected) in [
            ("26", Some(Ordinal::Number(26))),
            ("26.0", Some(Ordinal::Number(26))),
            ("2.6e1", Some(Ordinal::Number(26))),
            ("-0", Some(Ordinal::Number(0))),
            ("18446744073709551615", Some(Ordinal::Number(u64::MAX))),
            ("1e400", Some(Ordinal::Odd)),
            ("-3", Some(Ordinal::Odd)),
            ("2.5", Some(Ordinal::Odd)),
            ("\"7\"", Some(Ordinal::Odd)),
            ("[]", Some(Ordinal::Odd)),
            ("null", None),
        ] {
            assert_eq!(Ordinal::parse(json), expected, "{json}");
        }
    }
}
