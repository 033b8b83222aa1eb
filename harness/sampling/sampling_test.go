package sampling_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/sampling"
)

func TestEvery(t *testing.T) {
	list := []int{1, 2, 3, 4, 5, 6, 7}
	t.Setenv("PAYSANDBOX_TEST", "")
	require.False(t, sampling.All())
	if sampling.Raced {
		require.Equal(t, []int{1}, sampling.Every(t, 3, list))
	} else {
		require.Equal(t, []int{1, 4, 7}, sampling.Every(t, 3, list))
	}
	require.Equal(t, list, sampling.Every(t, 1, list))
	require.Empty(t, sampling.Every(t, 3, []int{}))
	require.Equal(t, 3, sampling.Step(t, 3))
	require.True(t, t.Run("skips", func(t *testing.T) { sampling.OnlyAll(t, "it needs the world"); t.Error("it is not run") }))
	t.Setenv("PAYSANDBOX_TEST", "all")
	require.True(t, sampling.All())
	require.Equal(t, list, sampling.Every(t, 3, list))
	require.Equal(t, 1, sampling.Step(t, 3))
	sampling.OnlyAll(t, "it is run")
}
