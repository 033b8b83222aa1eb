package verify_test

import (
	"net/http"
	"strings"
)

// kind makes the middleware of a mutant, with a memory of its own.
type kind func() spoiler

// stateless is a kind without a memory.
func stateless(s spoiler) kind { return func() spoiler { return s } }

// answers spoils what was answered.
func answers(patterns string, change func(x *exchange)) kind {
	return stateless(on(patterns, nil, change))
}

// asks spoils what the good server is asked.
func asks(patterns string, change func(x *exchange)) kind {
	return stateless(on(patterns, change, nil))
}

// tells puts a member of every success to a value, or to what a function makes
// of it.
func tells(patterns, path string, v any) kind {
	return answers(patterns, func(x *exchange) {
		if x.ok() {
			x.change(path, v)
		}
	})
}

// swaps puts another value where one stands.
func swaps(old, to any) func(any) any {
	return func(v any) any {
		if v == old {
			return to
		}
		return v
	}
}

// lacks leaves a member out.
func lacks(patterns, path string) kind { return tells(patterns, path, gone{}) }

// pascal writes a member with a capital.
func pascal(patterns, name string) kind {
	return answers(patterns, func(x *exchange) {
		if v := x.got(name); x.ok() && v != nil {
			x.change(name, gone{})
			x.change(strings.ToUpper(name[:1])+name[1:], v)
		}
	})
}

// allowed answers what has to be refused with a success.
func allowed(patterns string) kind {
	return answers(patterns, func(x *exchange) {
		if !x.ok() {
			x.grant()
		}
	})
}

// ignored says yes and does nothing.
func ignored(patterns string) kind {
	return stateless(on(patterns, func(x *exchange) { x.kept = true }, func(x *exchange) {
		x.grant()
	}))
}

// becomes gives one status for another.
func becomes(patterns string, from, to int) kind {
	return answers(patterns, func(x *exchange) {
		if x.status == from {
			x.status = to
		}
	})
}

// refuses says no although it has to say yes, where when says so of a call that
// the good server accepts.
func refuses(patterns, clause, member string, when func(x *exchange) bool) kind {
	return answers(patterns, func(x *exchange) {
		if x.ok() && when(x) {
			x.refuse(http.StatusBadRequest, member, clause)
		}
	})
}

// demands refuses a call without a member that may be left out.
func demands(patterns, clause, member string) kind {
	return refuses(patterns, clause, member, func(x *exchange) bool { return x.member(member) == nil })
}

// keeps refuses a call and does what was asked all the same: with the members
// that were wrong set right, but under the caller's own token.
func keeps(patterns string, status int, right map[string]any) kind {
	return func() spoiler {
		return func(next http.Handler, k *keeper) http.Handler {
			return on(patterns, nil, func(x *exchange) {
				if x.status != status {
					return
				}
				behind := &exchange{req: x.req, asked: x.asked}
				for path, v := range right {
					behind.send(path, v)
				}
				behind.pass(next)
				x.touched = behind.ok()
			})(next, k)
		}
	}
}

// onTape spoils the entries of the tapes that are read; those for which edit
// says no are taken out.
func onTape(edit func(e map[string]any) bool) kind {
	return answers("GET "+control+"/tape", func(x *exchange) { x.editTape(edit) })
}

// editTape goes through the entries of a tape that was read.
func (x *exchange) editTape(edit func(e map[string]any) bool) {
	lines := strings.SplitAfter(string(x.body), "\n")
	for i, line := range lines {
		if e, ok := decoded([]byte(line)).(map[string]any); i > 0 && ok {
			before := string(encoded(e))
			switch {
			case !edit(e):
				lines[i] = ""
			case string(encoded(e)) != before:
				lines[i] = string(encoded(e)) + "\n"
			}
		}
	}
	x.body = []byte(strings.Join(lines, ""))
}

// unsent does not send a message; an empty channel means any.
func unsent(template, channel string) kind {
	return onTape(func(e map[string]any) bool {
		return reached(e, "message.template") != template || channel != "" && reached(e, "message.channel") != channel
	})
}

// moves spoils where a machine of the tape goes to.
func moves(machine string, to func(any) any) kind {
	return onTape(func(e map[string]any) bool {
		if reached(e, "transition.machine") == machine {
			put(e, []string{"transition", "to"}, to)
		}
		return true
	})
}
