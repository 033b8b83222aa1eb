// Package infer finds what people, banks and the provider did between two recorded
// calls: what a recorded status, report or webhook shows, and the declared machines
// allow, by the shortest way. Each move is told as an assumption; what no way leads to
// is a contradiction of the recording.
//
// It guides a play and makes no calls itself.
package infer
