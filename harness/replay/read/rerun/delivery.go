package rerun

import (
	"bytes"
	"slices"
	"strconv"

	"paysandbox/harness/trail"
)

// deliveries is how a line says how often a queue has delivered a message, or a worker has begun a job: a count from 1 in the first part,
// one of what came before, from 0, in the second, or that it is not the first time.
var deliveries = trail.Pattern(`(?i)(?:(?:receive|delivery)[_ -]?(?:count|attempt)|(?:^|[^a-z_-])(?:num[_ -]?delivered|times[_ -]?received|attempts?(?:[_ -]?(?:no|number|started))?))["'\\]{0,3}[=: ]{1,3}["'\\]{0,3}([0-9]{1,4})\b|` +
	`(?:^|[^a-z_-])(?:retries|retry|retry[_ -]?count|redelivery[_ -]?count|attempts[_ -]?made)["'\\]{0,3}[=: ]{1,3}["'\\]{0,3}([0-9]{1,4})\b|` +
	`redelivered["'\\]{0,3}[=: ]{1,3}["'\\]{0,3}(true|false)\b`)

// workers is how lines name who wrote them, where several write one log.
var workers = trail.Pattern(`(?i)(?:^|[^a-z])(?:worker|consumer|thread|process|pid|tid|pod|hostname|instance)(?:[_ -]?(?:id|name))?["']?[=:][ "']{0,2}([a-z0-9_.@-]{1,64})`)

// delivery is what a line tells of a message or a job: how often it had been delivered before, -1 where it does not say.
type delivery struct {
	id, worker string
	before     int
}

// redelivered says at which line, from 1, a log tells that the work of a call had been delivered once more, whose first delivery made the
// call before it; 0 where it does not. The work of a call is what the last line before it tells that is of the same worker.
func redelivered(lines [][]byte, was, is int) (n int, id string) {
	later, at := newest(lines, was, is, true)
	if later.before <= 0 {
		return 0, ""
	}
	first, _ := newest(lines, 0, was, false)
	if first.id != later.id || first.before >= later.before {
		return 0, ""
	}
	return at, later.id
}

// newest is the last delivery that a call's worker tells before it, the call's own line among what may tell it, and its line; counted
// leaves out those of which no count is told.
func newest(lines [][]byte, after, call int, counted bool) (delivery, int) {
	who := workerOf(lines[call-1])
	for n := call; n > max(after, call-lead); n-- {
		d := deliveryOf(lines[n-1])
		other := d.worker != "" && who != "" && d.worker != who
		if d.id != "" && !other && (d.before >= 0 || !counted) {
			return d, n
		}
	}
	return delivery{before: -1}, 0
}

// deliveryOf is what a line tells of a piece of work, without an id for one that tells of none, or of several.
func deliveryOf(line []byte) delivery {
	line = line[:min(len(line), mostLine)]
	d := delivery{before: -1}
	ids := slices.Compact(slices.Sorted(slices.Values(named([][]byte{line}))))
	if len(ids) != 1 {
		return d
	}
	d.id, d.worker = ids[0], workerOf(line)
	found := deliveries().FindSubmatch(line)
	switch {
	case found == nil:
	case len(found[1]) > 0:
		d.before = max(0, number(found[1])-1)
	case len(found[2]) > 0:
		d.before = number(found[2])
	default:
		d.before = 0
		if bytes.EqualFold(found[3], []byte("true")) {
			d.before = 1
		}
	}
	return d
}

func workerOf(line []byte) string {
	if found := workers().FindSubmatch(line[:min(len(line), mostLine)]); found != nil {
		return string(found[1])
	}
	return ""
}

func number(said []byte) int {
	n, _ := strconv.Atoi(string(said))
	return n
}
