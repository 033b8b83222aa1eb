package natslog

// Whole is what is looked at before the engine begins: what the folder of a log has lost, as
// an error, and whether it is refused.
func Whole(dir string) (lost, refused error) {
	s, _, err := whole(dir)
	if s != nil {
		lost = s
	}
	return lost, err
}

// Indexed is the number of the last message that an index knows.
func Indexed(stream string, raw []byte) (uint64, error) { return indexed(stream, raw) }

// Damage is where a file of messages is not whole, -1 for nowhere, the highest number before
// it, and whether more may follow.
func Damage(name string, raw []byte) (at int, last uint64, more bool, err error) {
	b, err := newBlock(name, raw)
	if err != nil {
		return 0, 0, false, err
	}
	at, last = b.damage()
	return at, last, at >= 0 && b.goesOn(at), nil
}
