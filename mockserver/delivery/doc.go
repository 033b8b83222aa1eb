// Package delivery decides what becomes of webhook events: who hears them, in
// which order and how often they go out, when they are tried again, and how
// they go wrong on purpose. It sends nothing itself: it asks for each attempt by
// an effect and is told what became of it.
//
// It knows nothing of payments: an event is a name, an entity, the status that
// it tells and its exact body. The machines of an endpoint and of a delivery
// are the tables in machine.go, drawn with those of the world.
package delivery
