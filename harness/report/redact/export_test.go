package redact

// Names are the names whose values are secret, as alternatives of a pattern.
const Names = names
