// Package journey plays partner journeys: one business story each, told once in
// scenarios/*.feature and lived by one of two actors. In drive mode the reference
// partner application performs the steps (package drive), in observe mode somebody
// else's does.
//
// It owns the reading of the stories and the play. What their sentences do is in
// story, what the partner is told and does in task, the tape as people read it in
// timeline. It must not judge clauses.
package journey
