// Package wire owns what the sandbox's HTTP layers share about bytes: strict
// JSON in with one finding for each problem, masking of secrets in the raw
// body, problem details and JSON out, and the media types of both directions.
//
// It must not know resources or rules (that is world's part). Of net/http it
// reads a request's address alone, and answers nobody. It keeps no state but pools of scratch memory and the compiled
// decode plans of types. Everything it reports is a function of its arguments.
package wire
