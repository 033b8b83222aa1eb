package read

import (
	"bytes"
	"errors"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
)

// readAll reads each file as what it is. Files of variables are read first: they fill
// the others. A file in which no call stands is told where others have some: they may name it
// as a body or an answer.
func readAll(files []source.File, o Options) ([]*source.Part, error) {
	variables, formats, none, err := formatsOf(files, o)
	if err != nil {
		return nil, err
	}
	var parts []*source.Part
	for i, f := range formats {
		if f == nil {
			parts = append(parts, unread(&files[i]))
			continue
		}
		if f.read == nil {
			parts = append(parts, source.NewPart(&files[i], f.name))
			continue
		}
		p, err := f.read(&files[i], variables)
		if loose := f.loose && o.Formats[files[i].Name] == ""; loose {
			p, err = orElse(&files[i], variables, p, err)
			if err == nil && len(p.Exchanges)+len(p.Received) == 0 {
				err = &source.Error{File: files[i].Name, Format: f.name, Err: errors.New("no call stands in it"), Expected: "requests, with what was answered, or webhooks"}
			}
			if err != nil && len(files) > 1 {
				p, none, err = unread(&files[i]), firstError(none, err), nil
			}
		}
		if err != nil {
			return nil, err
		}
		parts = append(parts, p)
	}
	return parts, tellUnread(parts, files, none)
}

// formatsOf are the formats of files, nil for one in no known form beside others, and the variables that files say.
func formatsOf(files []source.File, o Options) (variables source.Variables, formats []*format, none, err error) {
	variables, formats = source.Variables{}.With(o.Variables), make([]*format, len(files))
	for i := range files {
		f, err := formatOf(&files[i], o.Formats[files[i].Name])
		if len(files) > 1 && len(files[i].Data) <= maxBeside {
			variables.SetBeside(files[i].Name, files[i].Text())
		}
		if err != nil && (len(files) == 1 || o.Formats[files[i].Name] != "" || len(files[i].Text()) == 0) {
			return nil, nil, nil, err
		}
		if none = firstError(none, err); err != nil {
			continue
		}
		if formats[i] = f; f.variables != nil {
			more, err := f.variables(&files[i])
			if err != nil {
				return nil, nil, nil, err
			}
			variables = more.With(variables)
		}
	}
	return variables, formats, none, nil
}

// maxBeside is the largest file that others may name as a body, in bytes.
const maxBeside = 1 << 20

// unread is the part of a file in which no call stands.
func unread(f *source.File) *source.Part { return source.NewPart(f, recording.Unread) }

// tellUnread tells of the files without a call which of them are bodies of others' calls; none is
// the error where all are without.
func tellUnread(parts []*source.Part, files []source.File, none error) error {
	bodies := map[string]bool{}
	some := false
	for _, p := range parts {
		some = some || len(p.Exchanges)+len(p.Received) > 0
		for i := range p.Exchanges {
			x := &p.Exchanges[i]
			bodies[pressed(x.Body)], bodies[pressed(x.Answer.Body)] = true, true
		}
	}
	if !some {
		return none
	}
	for i, p := range parts {
		if p.Source().Format != recording.Unread {
			continue
		}
		switch {
		case bodies[pressed(files[i].Text())]:
			p.Source().Format = "body"
		case !bytes.ContainsAny(files[i].Text(), "{}<>=|") && !bytes.Contains(files[i].Text(), []byte("://")):
			p.Source().Format = recording.Words
			p.Skip(p.Line(1), "the whole file: words that somebody wrote, and no call")
		default:
			p.Skip(p.Line(1), "the whole file: no call stands in it")
		}
	}
	return nil
}

// pressed is a text without its spaces.
func pressed(text []byte) string { return string(bytes.Join(bytes.Fields(text), nil)) }

func firstError(a, b error) error {
	if a != nil {
		return a
	}
	return b
}
