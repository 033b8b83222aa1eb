package archive

import (
	"cmp"

	"paysandbox/mockserver/latitude"
)

// Choice is one choice of the ledger with what it rests on.
type Choice struct {
	Name, About, Value, Meaning, Default, Fixed string
	Values, Evidence                            []string
	// Differs says that it is not the default.
	Differs bool
}

// Choices are all choices of the ledger, where these differ from the defaults.
func Choices(chosen map[string]string) (list []Choice) {
	for _, e := range latitude.Ledger() {
		one := Choice{Name: e.Name, About: e.Question, Value: cmp.Or(chosen[e.Name], e.Default), Default: e.Default, Fixed: e.Fixed}
		for _, c := range e.Choices {
			if c.Name == one.Value {
				one.Meaning = c.Meaning
			}
			one.Values = append(one.Values, c.Name)
		}
		for _, ev := range e.Evidence {
			one.Evidence = append(one.Evidence, string(ev))
		}
		one.Differs = one.Value != one.Default
		list = append(list, one)
	}
	return list
}
