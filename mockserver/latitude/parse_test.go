package latitude_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/latitude"
)

func TestWhatCannotBeSetSaysWhy(t *testing.T) {
	t.Parallel()
	tests := []struct{ give, want string }{
		{
			"token-lifetim=60",
			"latitude token-lifetim: no such knob (`paysandbox latitude` lists them); nearest: token-lifetime",
		},
		{
			"token=60",
			"latitude token: no such knob (`paysandbox latitude` lists them); nearest: token-paths, token-refusal, token-lifetime",
		},
		{
			"weather=fine",
			"latitude weather: no such knob (`paysandbox latitude` lists them)",
		},
		{
			"token-lifetime=6000",
			"latitude token-lifetime=6000: no such value; nearest: 600, 3600, 60; " +
				"values: 3600, 60, 600, 86400 (the first is the default)",
		},
		{
			"Release=V0.4.9",
			"latitude Release: no such knob (`paysandbox latitude` lists them); nearest: release",
		},
		{
			"release=V0.4.9",
			"latitude release=V0.4.9: no such value; nearest: v0.4.9, v0.4.11; values: v0.4.11, v0.4.9 (the first is the default)",
		},
		{
			"live=",
			"latitude live: no such value; values: false, true (the first is the default)",
		},
		{
			"content-type=400",
			"latitude content-type=400: this knob is fixed at 415: Both the protocol and the framework have one answer.",
		},
		{
			"token-lifetime",
			"latitude token-lifetime: want NAME=VALUE; values: 3600, 60, 600, 86400 (the first is the default)",
		},
		{
			"zap",
			"latitude zap: want NAME=VALUE; nearest: zip",
		},
		{
			"",
			`latitude "": want NAME=VALUE`,
		},
	}
	for _, test := range tests {
		t.Run(test.give, func(t *testing.T) {
			t.Parallel()
			_, err := latitude.Parse([]string{test.give})
			require.EqualError(t, err, test.want)
			var typed *latitude.Error
			require.ErrorAs(t, err, &typed)
		})
	}
}

func TestForeignTextStaysPrintable(t *testing.T) {
	t.Parallel()
	_, err := latitude.Lookup("a\x1b[31m\n" + strings.Repeat("x", 1000))
	require.Error(t, err)
	require.NotContains(t, err.Error(), "\x1b")
	require.NotContains(t, err.Error(), "\n")
	require.Less(t, len(err.Error()), 200)
}

func TestAllMistakesAreReportedAtOnce(t *testing.T) {
	t.Parallel()
	start := latitude.Settings{}.Choose(latitude.LiveTrue)
	set, err := start.WithAll([]string{"zip=plus-four-only", "no-such=1", "live=maybe"})
	require.ErrorContains(t, err, "no-such")
	require.ErrorContains(t, err, "live=maybe")
	require.Equal(t, start, set, "a failed call changes nothing")

	_, err = latitude.FromMap(map[string]string{"b-side": "x", "a-side": "x", "zip": "plus-four-only"})
	require.Error(t, err)
	require.Less(t, strings.Index(err.Error(), "a-side"), strings.Index(err.Error(), "b-side"))
}

func TestLaterSettingsWin(t *testing.T) {
	t.Parallel()
	set, err := latitude.Parse([]string{"token-lifetime=60", "live=true", "token-lifetime=600"})
	require.NoError(t, err)
	require.Equal(t, "token-lifetime=600 live=true", set.String())
	require.Equal(t, map[string]string{"token-lifetime": "600", "live": "true"}, set.Map())
}

func TestAFixedKnobAcceptsItsOwnValue(t *testing.T) {
	t.Parallel()
	set, err := latitude.Settings{}.With("content-type", "415")
	require.NoError(t, err)
	require.Equal(t, latitude.Settings{}, set)
}

func TestSettingsAreStoredByName(t *testing.T) {
	t.Parallel()
	for seed := range uint64(50) {
		set := latitude.Vary(seed)
		text, err := set.MarshalText()
		require.NoError(t, err)
		var again latitude.Settings
		require.NoError(t, again.UnmarshalText(text))
		require.Equal(t, set, again)
	}
	kept := latitude.Settings{}.Choose(latitude.LiveTrue)
	require.Error(t, kept.UnmarshalText([]byte("zip=plus-four-only nonsense")))
	require.Equal(t, latitude.Settings{}.Choose(latitude.LiveTrue), kept)
}

func FuzzParse(f *testing.F) {
	f.Add("token-lifetime=60")
	f.Add("rate-limit=10/s")
	f.Add("content-type=400")
	f.Add("=")
	f.Add("zip=\xff=\n")
	f.Fuzz(func(t *testing.T, text string) {
		set, err := latitude.Parse([]string{text})
		if err != nil {
			require.Equal(t, latitude.Settings{}, set)
			require.True(t, utf8.ValidString(err.Error()))
			require.NotContains(t, err.Error(), "\n")
			return
		}
		name, value, _ := strings.Cut(text, "=")
		knob, err := latitude.Lookup(name)
		require.NoError(t, err)
		require.Equal(t, value, set.Get(knob).Name())
		again, err := latitude.FromMap(set.Map())
		require.NoError(t, err)
		require.Equal(t, set, again)
	})
}
