package main

import (
	"io"

	"paysandbox/harness/report/words"
)

// harmless writes text for people in which foreign texts stand: nothing in it is obeyed by
// a terminal. Each write is a whole text.
type harmless struct{ w io.Writer }

// shownBy writes to w, harmlessly where that is a terminal; a file gets every byte.
func shownBy(w io.Writer) io.Writer {
	if terminal(w) {
		return harmless{w}
	}
	return w
}

func (h harmless) Write(text []byte) (int, error) {
	if _, err := io.WriteString(h.w, words.Harmless(string(text))); err != nil {
		return 0, err
	}
	return len(text), nil
}
