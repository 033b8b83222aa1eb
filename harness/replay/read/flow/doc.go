// Package flow reads the executions of n8n, in which what a node sends stands apart from what its runs have
// answered, and is written in expressions over what other nodes have given. It evaluates none but plain references:
// what any other holds is unknown.
package flow
