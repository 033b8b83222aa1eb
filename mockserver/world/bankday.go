package world

import "time"

// Banks and the daily batch live in Pacific time. The world may not read time
// zone data, so the American rule is written down here: daylight saving time
// runs from 2:00 on the second Sunday of March to 2:00 on the first Sunday of
// November.
const (
	pacificStandard = -8 * time.Hour
	pacificDaylight = -7 * time.Hour
	switchTime      = 2 * time.Hour
	batchTime       = 11 * time.Hour
)

// nthWeekday is the day of the month on which a weekday comes for the nth time.
func nthWeekday(year int, month time.Month, weekday time.Weekday, n int) int {
	first := time.Date(year, month, 1, 0, 0, 0, 0, time.UTC).Weekday()
	return 1 + int(weekday-first+7)%7 + 7*(n-1)
}

// pacificOffset is what Pacific time is ahead of UTC at a moment; it is negative.
func pacificOffset(t time.Time) time.Duration {
	year := t.UTC().Add(pacificStandard).Year()
	begins := time.Date(year, time.March, nthWeekday(year, time.March, time.Sunday, 2), 0, 0, 0, 0, time.UTC)
	ends := time.Date(year, time.November, nthWeekday(year, time.November, time.Sunday, 1), 0, 0, 0, 0, time.UTC)
	if t.Before(begins.Add(switchTime-pacificStandard)) || !t.Before(ends.Add(switchTime-pacificDaylight)) {
		return pacificStandard
	}
	return pacificDaylight
}

// pacificWall is what a clock in Los Angeles shows, written as if it were UTC.
func pacificWall(t time.Time) time.Time { return t.UTC().Add(pacificOffset(t)) }

// fromPacific is the moment at which a clock in Los Angeles shows wall. Of an
// hour that comes twice it is the first.
func fromPacific(wall time.Time) time.Time {
	if t := wall.Add(-pacificDaylight); pacificOffset(t) == pacificDaylight {
		return t
	}
	return wall.Add(-pacificStandard)
}

// pacificDate is the date in Los Angeles at a moment, as midnight UTC of it.
func pacificDate(t time.Time) time.Time { return midnight(pacificWall(t)) }

func midnight(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
}

// batchAt is the moment of the daily batch on a date: 11:00 in Los Angeles.
// Latitude, payment-timing.
func batchAt(date time.Time) time.Time { return fromPacific(midnight(date).Add(batchTime)) }

// nextBatch is the first daily batch after a moment.
func nextBatch(t time.Time) time.Time {
	date := pacificDate(t)
	if at := batchAt(date); at.After(t) {
		return at
	}
	return batchAt(date.AddDate(0, 0, 1))
}

// nextBankingDay is the same time of day in Los Angeles, n banking days later.
func nextBankingDay(t time.Time, n int) time.Time {
	wall := pacificWall(t)
	for n > 0 {
		wall = wall.AddDate(0, 0, 1)
		if isBankingDay(wall) {
			n--
		}
	}
	return fromPacific(wall)
}

// isBankingDay says whether the Federal Reserve's banks are open on a date:
// from Monday to Friday, but on holidays.
func isBankingDay(date time.Time) bool {
	switch date.Weekday() {
	case time.Saturday, time.Sunday:
		return false
	case time.Monday:
		return !isBankHoliday(date) && !isFixedHoliday(date.AddDate(0, 0, -1))
	default:
		return !isBankHoliday(date)
	}
}

func isBankHoliday(date time.Time) bool { return isFixedHoliday(date) || isFloatingHoliday(date) }

// juneteenthSince is the first year in which 19 June was a federal holiday.
const juneteenthSince = 2021

// isFixedHoliday knows the holidays that keep their date. One that falls on a
// Sunday is kept on the Monday after; one on a Saturday is not kept.
func isFixedHoliday(date time.Time) bool {
	day := date.Day()
	switch date.Month() {
	case time.January:
		return day == 1
	case time.June:
		return day == 19 && date.Year() >= juneteenthSince
	case time.July:
		return day == 4
	case time.November:
		return day == 11
	case time.December:
		return day == 25
	default:
		return false
	}
}

// floatingHolidays are the holidays that keep their weekday; week 5 is the last
// of the month.
var floatingHolidays = []struct {
	month   time.Month
	weekday time.Weekday
	week    int
}{
	{time.January, time.Monday, 3},    // Birthday of Martin Luther King, Jr.
	{time.February, time.Monday, 3},   // Washington's Birthday
	{time.May, time.Monday, lastWeek}, // Memorial Day
	{time.September, time.Monday, 1},  // Labor Day
	{time.October, time.Monday, 2},    // Columbus Day
	{time.November, time.Thursday, 4}, // Thanksgiving Day
}

const lastWeek = 5

func isFloatingHoliday(date time.Time) bool {
	for _, h := range floatingHolidays {
		if date.Month() != h.month || date.Weekday() != h.weekday {
			continue
		}
		if h.week == lastWeek {
			return date.AddDate(0, 0, 7).Month() != h.month
		}
		return date.Day() == nthWeekday(date.Year(), h.month, h.weekday, h.week)
	}
	return false
}
