package judge_test

import (
	"paysandbox/mockserver/tape"
)

const hook = "0f0c4a53-0000-4000-8000-000000000001"

// numbered gives the entries their numbers.
func numbered(list ...tape.Entry) []tape.Entry {
	for i := range list {
		list[i].Seq = uint64(i + 1)
	}
	return list
}
