// Package verdict owns the words that a judgement can come to, their one order,
// what a judgement rests on, the counting of judgements, and the gate that turns them
// into an exit code. It knows no tape, no clause and no report, and decides nothing about
// what is right.
package verdict
