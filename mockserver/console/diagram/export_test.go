package diagram

import "slices"

// Names lists the machines that can be drawn.
func Names() []string {
	var names []string
	for name := range layouts() {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Of gives the layout of a machine.
func Of(machine string) (Layout, bool) {
	l, ok := layouts()[machine]
	return l, ok
}
