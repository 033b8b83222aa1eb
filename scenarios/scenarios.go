// Package scenarios holds the partner journeys: one story a file, told in the
// partner's language. It owns their texts and must not know how they are played;
// harness/journey does that.
package scenarios

import (
	"embed"
	"io/fs"
)

//go:embed *.feature
var files embed.FS

// FS gives the journeys, one .feature file each.
func FS() fs.FS { return files }
