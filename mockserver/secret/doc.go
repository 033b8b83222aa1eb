// Package secret owns what the sandbox holds to be secret, and how it is struck
// out of what is kept or shown: by the names of members, parameters and
// attributes ([Named]), and by the values of secrets that are known ([Values]).
//
// What is struck keeps its form: digits become 1, letters become x, lengths
// stay, so that a tape without secrets still reads, and is played again, as what
// came in. It must not know entries, requests or resources, keeps nothing but
// the values that it was given, and reads no JSON: who reads it says where the
// secrets stand.
package secret
