package world_test

import (
	"testing"
	"time"
	_ "time/tzdata" // the reference that the written-down rule is compared with

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/world"
)

func losAngeles(t *testing.T) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation("America/Los_Angeles")
	require.NoError(t, err)
	return zone
}

func TestPacificOffsetAgreesWithTheZoneData(t *testing.T) {
	t.Parallel()
	zone := losAngeles(t)
	for at := time.Date(2007, 3, 1, 0, 0, 0, 0, time.UTC); at.Year() < 2037; at = at.Add(61 * time.Minute) {
		_, seconds := at.In(zone).Zone()
		require.Equal(t, time.Duration(seconds)*time.Second, world.PacificOffset(at), "%s", at)
	}
}

func TestPacificOffsetAtTheEdges(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		at   string
		want time.Duration
	}{
		{"2026-03-08T09:59:59Z", -8 * time.Hour},
		{"2026-03-08T10:00:00Z", -7 * time.Hour},
		{"2026-11-01T08:59:59Z", -7 * time.Hour},
		{"2026-11-01T09:00:00Z", -8 * time.Hour},
		{"2026-01-01T00:00:00Z", -8 * time.Hour},
		{"2026-12-31T23:59:59Z", -8 * time.Hour},
	} {
		require.Equal(t, tt.want, world.PacificOffset(moment(t, tt.at)), tt.at)
	}
}

func moment(t *testing.T, s string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, s)
	require.NoError(t, err)
	return at
}

func TestBatchIsAtElevenInLosAngeles(t *testing.T) {
	t.Parallel()
	zone := losAngeles(t)
	for day := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC); day.Year() < 2032; day = day.AddDate(0, 0, 1) {
		want := time.Date(day.Year(), day.Month(), day.Day(), 11, 0, 0, 0, zone)
		require.True(t, want.Equal(world.BatchAt(day)), "%s", day)
		require.Equal(t, day, world.PacificDate(want))
	}
	require.Equal(t, moment(t, "2026-03-07T19:00:00Z"), world.BatchAt(moment(t, "2026-03-07T00:00:00Z")))
	require.Equal(t, moment(t, "2026-03-08T18:00:00Z"), world.BatchAt(moment(t, "2026-03-08T00:00:00Z")))
	require.Equal(t, moment(t, "2026-11-01T19:00:00Z"), world.BatchAt(moment(t, "2026-11-01T00:00:00Z")))
}

func TestNextBatch(t *testing.T) {
	t.Parallel()
	require.Equal(t, moment(t, "2026-01-05T19:00:00Z"), world.NextBatch(moment(t, "2026-01-05T18:59:59Z")))
	require.Equal(t, moment(t, "2026-01-06T19:00:00Z"), world.NextBatch(moment(t, "2026-01-05T19:00:00Z")))
	require.Equal(t, moment(t, "2026-03-08T18:00:00Z"), world.NextBatch(moment(t, "2026-03-07T19:00:00Z")))
}

func TestPacificDate(t *testing.T) {
	t.Parallel()
	require.Equal(t, "2026-01-04", world.PacificDate(moment(t, "2026-01-05T07:59:59Z")).Format(time.DateOnly))
	require.Equal(t, "2026-01-05", world.PacificDate(moment(t, "2026-01-05T08:00:00Z")).Format(time.DateOnly))
}

func TestFromPacificOfHoursThatAreMissingOrTwice(t *testing.T) {
	t.Parallel()
	require.Equal(t, moment(t, "2026-03-08T10:30:00Z"), world.FromPacific(moment(t, "2026-03-08T02:30:00Z")))
	require.Equal(t, moment(t, "2026-11-01T08:30:00Z"), world.FromPacific(moment(t, "2026-11-01T01:30:00Z")))
}

func TestBankHolidays(t *testing.T) {
	t.Parallel()
	closed := []string{
		"2026-01-01", "2026-01-19", "2026-02-16", "2026-05-25", "2026-06-19", "2026-09-07", "2026-10-12", "2026-11-11", "2026-11-26", "2026-12-25",
		"2023-01-02", // 1 January 2023 was a Sunday
		"2021-07-05", // 4 July 2021 was a Sunday
		"2022-12-26", // 25 December 2022 was a Sunday
		"2022-06-20", // 19 June 2022 was a Sunday
		"2018-11-12", // 11 November 2018 was a Sunday
		"2028-05-29", // the last Monday of a May with five
		"2026-01-03", "2026-01-04",
	}
	for _, day := range closed {
		require.False(t, world.IsBankingDay(moment(t, day+"T00:00:00Z")), day)
	}
	open := []string{
		"2026-07-03", // 4 July 2026 is a Saturday, which the banks do not keep
		"2021-12-31", // 1 January 2022 was a Saturday
		"2020-06-19", // before Juneteenth was a holiday
		"2026-05-18", "2026-11-27", "2026-01-12", "2026-01-02", "2026-12-24",
	}
	for _, day := range open {
		require.True(t, world.IsBankingDay(moment(t, day+"T00:00:00Z")), day)
	}
}

func TestABankYearHasTheRightLength(t *testing.T) {
	t.Parallel()
	open := 0
	for day := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC); day.Year() == 2026; day = day.AddDate(0, 0, 1) {
		if world.IsBankingDay(day) {
			open++
		}
	}
	require.Equal(t, 261-10, open, "261 weekdays, and ten holidays on weekdays (4 July is a Saturday)")
}

func TestNextBankingDay(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		from string
		n    int
		want string
	}{
		{"2026-01-05T15:00:00Z", 1, "2026-01-06T15:00:00Z"},
		{"2026-01-09T15:00:00Z", 1, "2026-01-12T15:00:00Z"}, // over a weekend
		{"2026-01-16T15:00:00Z", 1, "2026-01-20T15:00:00Z"}, // and a holiday
		{"2026-01-10T15:00:00Z", 2, "2026-01-13T15:00:00Z"}, // from a Saturday
		{"2026-01-06T07:00:00Z", 1, "2026-01-07T07:00:00Z"}, // still the 5th in Los Angeles
		{"2026-01-10T07:00:00Z", 1, "2026-01-13T07:00:00Z"}, // still Friday in Los Angeles
		{"2026-03-06T19:00:00Z", 1, "2026-03-09T18:00:00Z"}, // the clock went forward
		{"2026-10-30T18:00:00Z", 1, "2026-11-02T19:00:00Z"}, // and back
		{"2026-12-24T19:00:00Z", 2, "2026-12-29T19:00:00Z"}, // Christmas and a weekend
	} {
		require.Equal(t, moment(t, tt.want), world.NextBankingDay(moment(t, tt.from), tt.n), tt.from)
	}
}
