package integration

import (
	"strings"

	"github.com/golang-jwt/jwt/v5"
)

// An integration has several lives: one ends when it is reset or deleted, and
// with it die its access tokens. The same integration made again, even by the
// same calls, is another life.

// maxFormer bounds how many deleted integrations are remembered. When there are
// more, they are forgotten, and all lives that begin from then on are counted from
// a number that none has had.
const maxFormer = 1 << 16

// lives counts the lives of the integrations that have been deleted.
type lives struct {
	former map[string]uint64
	first  uint64
}

// begin is the number of the life that an integration begins, 0 for its first.
func (l *lives) begin(id string) uint64 {
	if last, ok := l.former[id]; ok {
		return last + 1
	}
	return l.first
}

// end notes the last life of an integration.
func (l *lives) end(id string, life uint64) {
	if len(l.former) >= maxFormer {
		l.former = nil
		l.first += 1 << 32
	}
	if l.former == nil {
		l.former = map[string]uint64{}
	}
	l.former[id] = life
}

// life is the number of the integration's present life.
func (i *Integration) life() uint64 { return i.keys.Load().life }

// formerLives is how far back a token is looked for, to say why it is refused.
const formerLives = 8

// signedBefore says whether a token that is not one of this life was one of the
// last few before it.
func (i *Integration) signedBefore(token string, life uint64) bool {
	at := strings.LastIndexByte(token, '.')
	signature, err := jwt.NewParser(jwt.WithStrictDecoding()).DecodeSegment(token[at+1:])
	if at < 0 || err != nil {
		return false
	}
	for back := uint64(1); back <= min(life, formerLives); back++ {
		if jwt.SigningMethodHS256.Verify(token[:at], signature, signingKey(i.ID, &i.opts, life-back)) == nil {
			return true
		}
	}
	return false
}
