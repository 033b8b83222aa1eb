// Command reports makes the corpus under fixtures/reports anew: what partners would
// send, recorded between real tools and our own sandbox, each with the fault that was
// put in. `make reports` runs it; it wants curl, node and Chromium, and fetches newman,
// Playwright and httpyac once. Forms of tools that do not run here are written as they
// are documented, and the expectation says so.
//
// A report is a story of stories.yaml: what the partner calls, what others do in
// between, which tool records it, and what is to be found. A proxy stands between the
// tool and the sandbox: it takes away what only a sandbox says, loses answers, and
// changes them where the service is to be at fault.
package main
