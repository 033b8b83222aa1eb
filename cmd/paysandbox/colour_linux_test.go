package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// TestColours: a terminal gets colours and links; whoever sets NO_COLOR gets no colour,
// a dumb one neither, and a file neither.
func TestColours(t *testing.T) { //nolint:paralleltest // it sets the environment
	link := func(string, uint64) string { return "http://s/1" }
	screen, _ := pseudoTerminal(t)
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

// TestNoLineIsWiderThanATerminal: not of a tape, nor of what judges it.
func TestNoLineIsWiderThanATerminal(t *testing.T) {
	t.Parallel()
	path := t.TempDir() + "/one.tape"
	run(t.Context(), []string{"observe", "--seed", "1", "--save-tape", path, "--", "false"}, none, io.Discard, io.Discard)
	for says, args := range map[string][]string{
		"entries, #1 to #":    {"tape", "show", path},
		"Nothing can be said": {"observe", "--tape", path, "--verbose"},
	} {
		screen, master := pseudoTerminal(t)
		shown := make(chan string)
		go func() {
			var said strings.Builder
			for part := make([]byte, 4096); !strings.Contains(said.String(), theEnd); {
				n, err := master.Read(part)
				if said.Write(part[:n]); err != nil {
					break
				}
			}
			shown <- said.String()
		}()
		run(t.Context(), args, none, screen, io.Discard)
		_, err := screen.WriteString(theEnd)
		require.NoError(t, err)
		said := <-shown
		require.Contains(t, said, says)
		require.NotRegexp(t, `(?m)^[^\x1b\r\n]{81}`, said)
	}
}

// theEnd is written behind all that a terminal was shown.
const theEnd = "(the end)"

// pseudoTerminal gives both ends of what a program takes for a terminal: what is written to the screen the master reads.
func pseudoTerminal(t *testing.T) (screen, master *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, master.Close()) })
	fd := int(master.Fd())
	require.NoError(t, unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0))
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	require.NoError(t, err)
	screen, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, screen.Close()) })
	return screen, master
}
