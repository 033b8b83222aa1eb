// Package task hands the tasks of a story to the partner, and finds on the tape what
// the partner has done about them, or says what there is instead.
//
// It owns the following of the tape, the matching of calls to tasks, and the words
// in which a task is told to a person. It must not know what a story is about.
package task
