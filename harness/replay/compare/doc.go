// Package compare holds what a recording shows to what a replay gave: statuses, what
// the description fixes of bodies, the headers that mean something, and events. It says
// what differs and where; why, and whose side that is on, others say.
//
// Texts for people, times and drawn values are no difference.
package compare
