package latitude

import (
	"fmt"
	"strings"
)

// Error is a setting that could not be understood. Its text is written for the
// person who typed it.
type Error struct {
	// Name and Value are what was asked for, as it was written.
	Name, Value string
	// Problem says what is wrong with it.
	Problem string
	// Nearest holds the valid names (or values) that are spelled most like what
	// was written, nearest first; empty when none comes close.
	Nearest []string
	// Values holds what the knob can be set to, default first; empty when the
	// knob is not known.
	Values []string
}

// Error returns the problem, what was probably meant, and what is possible, in
// one line.
func (e *Error) Error() string {
	text := "latitude " + shorten(e.Name)
	if e.Value != "" {
		text += "=" + shorten(e.Value)
	}
	text += ": " + e.Problem
	if len(e.Nearest) > 0 {
		text += "; nearest: " + strings.Join(e.Nearest, ", ")
	}
	if len(e.Values) > 0 {
		text += "; values: " + strings.Join(e.Values, ", ") + " (the first is the default)"
	}
	return text
}

func notAPair(text string) *Error {
	problem := "want NAME=VALUE"
	e := unknownKnob(text)
	if knob, err := Lookup(text); err == nil {
		return &Error{Name: text, Problem: problem, Values: valueNames(knob)}
	}
	e.Problem = problem
	return e
}

func unknownKnob(name string) *Error {
	names := make([]string, 0, knobCount)
	for i := range table {
		names = append(names, table[i].name)
	}
	return &Error{
		Name:    name,
		Problem: "no such knob (`paysandbox latitude` lists them)",
		Nearest: nearest(name, names),
	}
}

func refusedValue(k Knob, value string) *Error {
	if k.Fixed() {
		return &Error{Name: k.Name(), Value: value, Problem: fmt.Sprintf(
			"this knob is fixed at %s: %s", table[k].choices[0].name, describe(k).Fixed)}
	}
	values := valueNames(k)
	return &Error{
		Name: k.Name(), Value: value, Problem: "no such value",
		Nearest: nearest(value, values), Values: values,
	}
}

func valueNames(k Knob) []string {
	names := make([]string, 0, len(table[k].choices))
	for _, o := range table[k].choices {
		names = append(names, o.name)
	}
	return names
}

// shorten keeps foreign text printable and within a line.
func shorten(text string) string {
	quoted := fmt.Sprintf("%+.40q", text)
	if bare := quoted[1 : len(quoted)-1]; bare == text && text != "" {
		return text
	}
	return quoted
}
