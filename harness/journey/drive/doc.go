// Package drive lets reference applications inside this process live the journeys,
// each in an integration of its own under a clock that stands still, and judges
// their tapes.
//
// It owns the applications' surroundings, the verdict on a journey, and its account
// for people. It must not judge clauses by itself: package check does that.
package drive
