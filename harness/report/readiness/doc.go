// Package readiness reads a report as people do: what blocks production access, what
// is missing and how to bring it about, how often it was tried. It decides nothing,
// and knows no format.
package readiness
