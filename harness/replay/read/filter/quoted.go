package filter

import "iter"

// unquoted are the signs of a command that stand in no quotes and no brackets, by their places.
func unquoted(command string) iter.Seq2[int, byte] {
	return func(yield func(int, byte) bool) {
		var quote byte
		deep := 0
		for i := 0; i < len(command); i++ {
			switch c := command[i]; {
			case quote != 0:
				if c == '\\' && quote == '"' {
					i++
				} else if c == quote {
					quote = 0
				}
			case c == '\\' && i+1 < len(command) && command[i+1] != '\n':
				i++
			case c == '\'' || c == '"':
				quote = c
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
