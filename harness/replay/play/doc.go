// Package play plays a script (calls of a recording, moves of people and banks, and
// times) to a fresh world of a sandbox, and gives what came back and the world's tape.
// While it plays it puts the world's ids in the place of the recording's.
//
// It talks HTTP to the sandbox that it is handed, decides nothing about what ought to
// happen, and judges nothing.
package play
