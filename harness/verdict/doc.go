// Package verdict owns the words that a judgement can come to, their one order,
// what a judgement rests on, and the counting of judgements. It knows no tape, no
// clause and no report, and decides nothing about what is right.
package verdict
