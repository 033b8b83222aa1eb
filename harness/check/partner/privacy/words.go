package privacy

import (
	"slices"
	"strings"
	"unicode"
)

// phrases are rows of words, each as words gives them, by their first words.
type phrases map[string][]string

// add keeps a phrase.
func (p phrases) add(phrase string) {
	first, _, _ := strings.Cut(strings.TrimPrefix(phrase, " "), " ")
	if first != "" && !slices.Contains(p[first], phrase) {
		p[first] = append(p[first], phrase)
	}
}

// in lists the phrases that words hold.
func (p phrases) in(words string) []string {
	var found []string
	for i := 0; i < len(words)-1; i++ {
		if words[i] != ' ' {
			continue
		}
		first, _, _ := strings.Cut(words[i+1:], " ")
		for _, phrase := range p[first] {
			if strings.HasPrefix(words[i:], phrase) {
				found = append(found, phrase)
			}
		}
	}
	return found
}

// words is a text as its words in lower case, with one space around each.
func words(text string) string {
	list := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' })
	if len(list) == 0 {
		return ""
	}
	return " " + strings.Join(list, " ") + " "
}
