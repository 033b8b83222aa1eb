package session

// Ended is how many sessions are known to have ended.
func (s *Sessions) Ended() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.ended)
}
