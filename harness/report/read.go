package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"paysandbox/harness/report/words"
	"paysandbox/mockserver/tape"
)

// MaxReport is the number of bytes of the longest document that [Read] reads.
const MaxReport = 32 << 20

// maxValues and maxList are the numbers of values of the largest document, and of
// clauses and ids of the longest list, that [Read] reads: a short text can hold a
// great many empty values, each of which takes room.
const (
	maxValues = 1_000_000
	maxList   = 10_000
)

// ErrRead means that a document is not a report that this program reads. It comes
// wrapped, with what is wrong; use errors.Is.
var ErrRead = errors.New("read a report")

// Read reads a report in our own format, at most [MaxReport] bytes of it. Members
// that it does not know are passed over. The error wraps ErrRead, and tells what
// is not JSON from a document of another format or version and from one whose
// values cannot be; an error of the reader is wrapped, too.
func Read(from io.Reader) (*Report, error) {
	text, err := io.ReadAll(io.LimitReader(from, MaxReport+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrRead, err)
	case len(text) > MaxReport:
		return nil, fmt.Errorf("%w: it is longer than %d MiB", ErrRead, MaxReport>>20)
	}
	if err := strange(text); err != nil {
		return nil, err
	}
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")) // some shells write it in front
	// The format first: a later version may have other types behind it.
	var head struct {
		Format string `json:"format"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, notJSON(text, err)
	}
	switch head.Format {
	case Format:
	case "":
		return nil, fmt.Errorf("%w: it names no format, so it is not one that --format json wrote", ErrRead)
	default:
		return nil, fmt.Errorf("%w: its format is %q, this program reads %q", ErrRead, words.Clip(head.Format), Format)
	}
	d := document{Report: &Report{}}
	if err := json.Unmarshal(text, &d); err != nil {
		return nil, notJSON(text, err)
	}
	if err := d.check(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRead, err)
	}
	return d.Report, nil
}

// strange says what a text is that cannot be a report, where that is easily seen.
func strange(text []byte) error {
	begins := func(with ...string) bool {
		return slices.ContainsFunc(with, func(w string) bool { return bytes.HasPrefix(text, []byte(w)) })
	}
	switch {
	case begins(`{"tape":`):
		return fmt.Errorf("%w: it is a tape: `paysandbox observe --tape FILE --format json=REPORT` judges one", ErrRead)
	case begins("<!doctype html", "<?xml"):
		return fmt.Errorf("%w: it is a report in HTML or XML: the one in JSON is needed", ErrRead)
	case tape.Packed(text, "") != "":
		return fmt.Errorf("%w: %s", ErrRead, tape.Packed(text, "FILE"))
	case values(text) > maxValues:
		return fmt.Errorf("%w: it has more than %d values", ErrRead, maxValues)
	default:
		return nil
	}
}

// values counts the commas outside of strings, and so about the values.
func values(text []byte) int {
	n, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case c == ',' && !quoted:
			n++
		}
	}
	return n
}

// notJSON says where a text stops being a report's JSON.
func notJSON(text []byte, err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case len(text) == 0:
		return fmt.Errorf("%w: it is empty", ErrRead)
	case errors.As(err, &syntax):
		return fmt.Errorf("%w: it is not JSON at byte %d: %w", ErrRead, syntax.Offset, err)
	case errors.As(err, &kind) && kind.Field != "":
		return fmt.Errorf("%w: %s holds a %s, which it cannot", ErrRead, words.Clip(kind.Field), words.Clip(kind.Value))
	case errors.As(err, &kind):
		return fmt.Errorf("%w: it is a JSON %s, not an object", ErrRead, words.Clip(kind.Value))
	default:
		return fmt.Errorf("%w: %w", ErrRead, err)
	}
}
