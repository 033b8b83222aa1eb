package delivery

// finish forgets a delivery and lets go what waited for it.
func (l *Ledger) finish(n uint32, event, reason string) AttemptOutcome {
	l.delivery(n).step(event)
	d := *l.delivery(n)
	l.drop(n)
	key := line{d.endpoint, d.Entity}
	switch {
	case d.outOfLine:
	case d.next != 0:
		l.delivery(d.next).step(release)
		l.launch(d.next)
	default:
		delete(l.lines, key)
	}
	if l.endpoint(d.endpoint).overtaker == n {
		l.releaseLate(d.endpoint)
	}
	l.shrink()
	return AttemptOutcome{Done: true, Reason: reason}
}

// drop empties a slot.
func (l *Ledger) drop(n uint32) {
	d := l.delivery(n)
	l.endpoint(d.endpoint).pending--
	delete(l.index, d.id)
	*d = delivery{}
	l.spare = append(l.spare, n)
	l.live--
}

// shrink gives back the memory of many deliveries once all have gone.
func (l *Ledger) shrink() {
	if l.live == 0 && len(l.rows) > 1024 {
		l.deliveries = deliveries{order: l.order}
	}
}

// abandon gives up what waits for an endpoint, and says how much that was.
// Attempts that are under way may end, unless the endpoint is removed.
func (l *Ledger) abandon(n uint32, removed bool) int {
	e := l.endpoint(n)
	e.late, e.overtaker, e.firstGathered, e.lastGathered, e.gathered = 0, 0, 0, 0, 0
	waiting := 0
	underWay := []uint32{}
	for i := range l.rows {
		d := &l.rows[i]
		if d.state == 0 || d.endpoint != n {
			continue
		}
		slot := uint32(i + 1)
		if !d.outOfLine {
			delete(l.lines, line{d.endpoint, d.Entity})
		}
		if d.underWay() && !removed {
			d.next = 0
			underWay = append(underWay, slot)
			continue
		}
		d.step(giveUp)
		l.drop(slot)
		waiting++
	}
	for _, slot := range underWay {
		if d := l.delivery(slot); !d.outOfLine {
			l.lines[line{d.endpoint, d.Entity}] = slot
		}
	}
	l.shrink()
	return waiting
}
