package access

// An integration has several lives: one ends when it is reset or deleted, and
// with it die its access tokens. The same integration made again, even by the
// same calls, is another life.

// maxFormer bounds how many deleted integrations are remembered. When there are
// more, they are forgotten, and all lives that begin from then on are counted from
// a number that none has had.
const maxFormer = 1 << 16

// Lives counts the lives of the integrations that have been deleted.
type Lives struct {
	// Former are the last lives by the integration's id, and First is the number of the
	// life of one that is not among them.
	Former map[string]uint64
	First  uint64
}

// Begin is the number of the life that an integration begins, 0 for its first.
func (l *Lives) Begin(id string) uint64 {
	if last, ok := l.Former[id]; ok {
		return last + 1
	}
	return l.First
}

// End notes the last life of an integration.
func (l *Lives) End(id string, life uint64) {
	if len(l.Former) >= maxFormer {
		l.Former = nil
		l.First += 1 << 32
	}
	if l.Former == nil {
		l.Former = map[string]uint64{}
	}
	l.Former[id] = life
}
