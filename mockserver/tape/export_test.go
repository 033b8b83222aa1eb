package tape

// Encode returns the binary form of one entry.
func Encode(e *Entry) []byte {
	var c codec
	c.write(e)
	out := segments{limit: maxSegment}
	seg, off := out.start()
	c.lay(&out)
	return out.view(slot{seg: seg, off: off, size: uint32(c.size())})
}

// EncodedSize returns the length that the tape accounts for one entry.
func EncodedSize(e *Entry) int64 {
	var c codec
	c.write(e)
	return c.size()
}

// Decode reads the binary form of one entry.
func Decode(raw []byte) (Entry, error) { return decodeEntry(raw) }

// MatchRaw applies a filter's entity and operation to the binary form.
func MatchRaw(f Filter, raw []byte) bool { return !f.looksInside() || f.matchRaw(raw) }
