package main

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// TestColours: a terminal gets colours and links; whoever sets NO_COLOR gets no colour,
// a dumb one neither, and a file neither.
func TestColours(t *testing.T) { //nolint:paralleltest // it sets the environment
	link := func(string, uint64) string { return "http://s/1" }
	screen := pseudoTerminal(t)
	for _, c := range []struct {
		noColour, term string
		colour, link   bool
	}{{"", "xterm", true, true}, {"1", "xterm", false, true}, {"", "dumb", false, false}} {
		t.Setenv("NO_COLOR", c.noColour)
		t.Setenv("TERM", c.term)
		p := textFor(screen, link)
		require.Equal(t, c.colour, p.Colour, c)
		require.Equal(t, c.link, p.Link != nil, c)
	}
	t.Setenv("TERM", "xterm")
	file, err := os.Create(t.TempDir() + "/file")
	require.NoError(t, err)
	defer func() { require.NoError(t, file.Close()) }()
	p := textFor(file, link)
	require.False(t, p.Colour)
	require.Nil(t, p.Link)
	require.Equal(t, harmless{screen}, shownBy(screen), "JSON does nothing to a terminal")
	require.Equal(t, file, shownBy(file))
}

// pseudoTerminal gives what a program takes for a terminal.
func pseudoTerminal(t *testing.T) *os.File {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, master.Close()) })
	fd := int(master.Fd())
	require.NoError(t, unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0))
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	require.NoError(t, err)
	screen, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, screen.Close()) })
	return screen
}
