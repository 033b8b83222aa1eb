// Package console serves the web console for people under /console: what happens
// live, what went wrong, what there is, and every control call as a button.
//
// It is a view on the control API. What it shows as a state it takes from there, by
// calls inside the process; what it does is a control call too, and so on the tape,
// and it tells the command that does the same. The tape it reads from the
// integration. The verdict and cases come from functions that cmd hands in, for
// mockserver knows nothing of harness. Pages are written by the server and work
// without scripts; with them they are live.
//
//	feed     a tape as rows, filters, search, causes, problems, signatures
//	stream   what happens, brought to browsers
//	call     the control API, asked from inside the process
//	diagram  pictures of the state machines
//	sheet    templates, scripts, styles, content policy
//
// It keeps no state of the sandbox. It must not import api, hosted or control.
package console
