//! The date and time at which a run begins, for its manifest. Nothing that is computed depends on it.

use std::time::{SystemTime, UNIX_EPOCH};

const SECONDS_OF_A_DAY: u64 = 86_400;

/// Now, UTC as in RFC 3339; empty where the clock stands before 1970.
pub(crate) fn now() -> String {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(String::new(), |since| written(since.as_secs()))
}

/// Seconds since 1970 as in RFC 3339.
fn written(seconds: u64) -> String {
    let (days, left) = (seconds / SECONDS_OF_A_DAY, seconds % SECONDS_OF_A_DAY);
    let [year, month, day] = date(days);
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", left / 3600, left / 60 % 60, left % 60)
}

/// Year, month and day of a number of days since 1970. Years are counted from March, so that the leap day is their last:
/// E. G. Richards, Calendars, in Explanatory Supplement to the Astronomical Almanac, 3rd ed., 2013.
fn date(days: u64) -> [u64; 3] {
    // From 1 March of the year 0; 400 years have 146 097 days.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    [era * 400 + year + u64::from(month <= 2), month, day]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Dates around leap days, and every day of 800 years follows the one before it.
    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(written(0), "1970-01-01T00:00:00Z");
        assert_eq!(written(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(written(4_107_542_399), "2100-02-28T23:59:59Z");
        assert_eq!(written(4_107_542_400), "2100-03-01T00:00:00Z");
        let leap =
            |year: u64| (year.is_multiple_of(4) && !year.is_multiple_of(100)) || year.is_multiple_of(400);
        let mut expected = [1970, 1, 1];
        for days in 0..292_200 {
            assert_eq!(date(days), expected);
            let [year, month, day] = expected;
            let last = match month {
                2 if leap(year) => 29,
                2 => 28,
                4 | 6 | 9 | 11 => 30,
                _ => 31,
            };
            expected = match (day == last, month) {
                (false, _) => [year, month, day + 1],
                (true, 12) => [year + 1, 1, 1],
                (true, _) => [year, month + 1, 1],
            };
        }
    }
}
