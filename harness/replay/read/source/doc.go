// Package source holds what all readers of a partner's files share: a file and its
// bounds, the part of a recording that one file gives, addresses, times, variables,
// and errors that say where a file is broken. It knows no format.
package source
