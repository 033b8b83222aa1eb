package filter

import (
	"iter"
	"strings"
)

// unquoted are the signs of a command that stand in no quotes and no brackets, by their places.
func unquoted(command string) iter.Seq2[int, byte] {
	return func(yield func(int, byte) bool) {
		deep := 0
		for i := 0; i < len(command); i++ {
			switch c := command[i]; {
			case c == '\'' || c == '"':
				i = closing(command, i)
			case c == '\\' && !strings.HasPrefix(command[i+1:], "\n"):
				i++
			case c == '(' || c == '{':
				deep++
			case c == ')' || c == '}':
				deep = max(0, deep-1)
			case deep == 0 && !yield(i, c):
				return
			}
		}
	}
}

// closing is where the quotes end that are opened at a place, or the end of the command.
func closing(command string, at int) int {
	quote := command[at]
	for at++; at < len(command) && command[at] != quote; at++ {
		if quote == '"' && command[at] == '\\' {
			at++
		}
	}
	return at
}
