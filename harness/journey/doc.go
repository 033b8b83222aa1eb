// Package journey plays partner journeys: one business story each, told once in
// scenarios/*.feature and lived by one of two actors. In drive mode the reference
// partner application performs the steps, in observe mode somebody else's does.
//
// It owns the steps of the stories, the way in which what an application did is
// found again on the tape, the timeline for people, and drive mode. It must not
// judge clauses by itself: package check does that, over the tape.
package journey
