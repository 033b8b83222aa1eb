package viewer

import (
	"html/template"
	"regexp"
	"strings"
	"sync"
)

var (
	code = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("`([^`]+)`") })
	bold = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\*\*([^*]+)\*\*`) })
)

// markdown writes the little CommonMark that descriptions use: paragraphs, lists,
// second-order headings, code and bold words. Everything else is text.
func markdown(text string) template.HTML {
	var b strings.Builder
	for _, block := range strings.Split(strings.TrimSpace(text), "\n\n") {
		var prose []string
		listed := false
		for _, line := range strings.Split(block, "\n") {
			item, isItem := strings.CutPrefix(line, "- ")
			title, isTitle := strings.CutPrefix(line, "## ")
			switch {
			case isTitle:
				b.WriteString("<h2>" + inline(title) + "</h2>")
			case isItem:
				paragraph(&b, &prose)
				if !listed {
					b.WriteString("<ul>")
				}
				listed = true
				b.WriteString("<li>" + inline(item) + "</li>")
			default:
				prose = append(prose, line)
			}
		}
		if listed {
			b.WriteString("</ul>")
		}
		paragraph(&b, &prose)
	}
	return template.HTML(b.String()) //nolint:gosec // G203: inline escapes what the text holds.
}

// paragraph writes the lines that were gathered, if any.
func paragraph(b *strings.Builder, lines *[]string) {
	if text := strings.Join(*lines, " "); strings.TrimSpace(text) != "" {
		b.WriteString("<p>" + inline(text) + "</p>")
	}
	*lines = nil
}

// inline is a line with its code and bold words.
func inline(text string) string {
	text = code().ReplaceAllString(template.HTMLEscapeString(text), "<code>$1</code>")
	return bold().ReplaceAllString(text, "<strong>$1</strong>")
}
