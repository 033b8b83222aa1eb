// Package words writes texts for people: lines that are not endless, numbers with
// their nouns, and texts that no terminal and no page takes for commands. It knows
// nothing of reports.
package words
