// Package webhook carries what leaves the sandbox: it makes single attempts to
// deliver webhook events, downloads attachments, and tries out addresses. It
// signs last, over the exact bytes, and delivers badly where a profile asks for
// it.
//
// It owns sockets, the rule of which addresses may be called, and the words for
// what went wrong. It must not decide when an event goes out, in which order,
// how often, or whether an attempt counts as a success: that is package delivery's. It
// keeps nothing but the queues of what is under way and the latest latencies.
//
// A reader begins at Sender. Each attempt runs in the lane of its endpoint
// (lanes.go), is composed (request.go, profile.go, json.go), sent (attempt.go,
// dial.go) and told (explain.go).
package webhook
