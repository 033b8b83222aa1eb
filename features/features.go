// Package features embeds the acceptance features: what the service owes its
// partners, as scenarios, one folder an area. It owns the files and their names,
// and reads nothing into them.
package features

import (
	"embed"
	"io/fs"
	"slices"
)

//go:embed */*.feature
var files embed.FS

// FS holds the features, for example companies/create.feature.
func FS() fs.FS { return files }

// Names lists the files, sorted.
func Names() []string {
	names, err := fs.Glob(files, "*/*.feature")
	if err != nil {
		panic("features: " + err.Error()) // the pattern is fixed
	}
	slices.Sort(names)
	return names
}
