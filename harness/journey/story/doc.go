// Package story is what the journeys are told with: the sentences, and what each of
// them makes happen.
//
// It owns the people and things of a story, what the others in it do through the
// control API, and what is expected of the tape. It must not judge clauses.
package story
