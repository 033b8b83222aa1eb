package durable_test

import (
	"time"
)

// trouble crashes, pauses and upgrades processes, and stalls, cuts or spoils the log.
func (s *sim) trouble() {
	var next func()
	next = func() {
		if s.now >= faultsFor {
			return
		}
		p := s.processes[s.rng.IntN(simProcesses)]
		switch s.rng.IntN(11) {
		case 0, 1:
			s.hit["process killed"]++
			p.crash()
			s.after(s.upTo(9000), p.start)
		case 2, 3:
			s.hit["process paused"]++
			p.paused = max(p.paused, s.now+s.upTo(12000))
		case 4, 5:
			s.hit["log stalled"]++
			s.stalled = s.now + s.upTo(5000)
		case 6:
			if p.engine == 1 && s.rng.IntN(3) == 0 {
				s.hit["process upgraded"]++
				p.crash()
				p.engine = 2
				p.start()
			}
		case 7:
			s.power()
		case 8:
			s.spoil()
		case 9:
			s.place.damage()
		case 10:
			s.bend(p)
		}
		s.after(s.upTo(4000), next)
	}
	s.after(s.upTo(2000), next)
	var sync func()
	sync = func() {
		s.synced, s.syncAt = len(s.log), s.now
		s.after(time.Second, sync)
	}
	sync()
}

// power is lost: all processes end, and the log loses what was not flushed.
func (s *sim) power() {
	if s.rng.IntN(4) > 0 || s.fatal != "" {
		return
	}
	s.hit["power lost"]++
	s.cuts++
	for _, p := range s.processes {
		p.crash()
		s.after(s.upTo(3000), p.start)
	}
	if keep := s.synced + s.rng.IntN(len(s.log)-s.synced+1); !s.always && keep < len(s.log) {
		s.hit["tail cut"]++
		if s.lost < 0 || s.syncAt < s.lost {
			s.lost = s.syncAt
		}
		s.log = s.log[:keep]
		s.last = 0
		if keep > 0 {
			s.last = s.log[keep-1].seq
		}
	}
}

// spoil does to the log what no shard may let pass.
func (s *sim) spoil() {
	held := len(s.held())
	if s.fatal != "" || held < 4 || s.rng.IntN(6) > 0 {
		return
	}
	at := len(s.log) - 1 - s.rng.IntN(held)
	followed := false
	for _, m := range s.log[at+1:] {
		followed = followed || m.shard == s.log[at].shard
	}
	switch s.rng.IntN(3) {
	case 0:
		if followed {
			s.fatal = "message flipped"
			data := append([]byte{}, s.log[at].data...)
			data[s.rng.IntN(len(data))] ^= 1 << s.rng.IntN(8)
			s.log[at].data = data
		}
	case 1:
		if followed {
			s.fatal = "message lost"
			s.log = append(s.log[:at:at], s.log[at+1:]...)
			s.synced = min(s.synced, len(s.log))
		}
	case 2:
		s.fatal = "message doubled"
		s.last++
		m := s.log[at]
		m.seq = s.last
		s.log = append(s.log, m)
	}
	if s.fatal != "" {
		s.hit[s.fatal]++
	}
}

// append is what the log does with a message that has reached it.
