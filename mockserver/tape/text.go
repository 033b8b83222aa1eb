package tape

// excerpt is the beginning of foreign bytes, for an error message.
func excerpt(b []byte) string {
	const longest = 80
	if len(b) > longest {
		return string(b[:longest]) + "…"
	}
	return string(b)
}
