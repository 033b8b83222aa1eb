// Package trials composes reports by chance, of what goes wrong (a story that is lived in a
// sandbox), of the tool that writes it down (a form, as its documentation has it) and of
// noise, and judges what replay makes of them: the share that is right at first sight of
// reports that nobody has seen. A seed that nobody has drawn yet tells most:
//
//	go test ./harness/replay/trials -v -trials 150 -trials.seed 7 -out DIR
//
// It holds tests alone. It must not know how the readers work.
package trials
