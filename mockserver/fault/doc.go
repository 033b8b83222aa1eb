// Package fault makes trouble on purpose: answers that fail, come late, come in
// drops or not at all, and tokens that have been withdrawn.
//
// It owns what a fault is (Effect), how one is asked for in a header (Parse),
// which calls an armed fault meets (Set), and how trouble is carried out on a
// connection (Wait, Cut, Writer). Which fault a call meets depends on the calls
// before it alone, so a replay meets the same ones; time passes and connections
// break only outside of that decision. The package knows no routes, worlds or
// JSON, and never decides on its own that something should fail.
package fault
