package openapi

import "paysandbox/mockserver/latitude"

// PartnerDescriptions are the texts for the members of the partner API's bodies.
func PartnerDescriptions() []byte { return partnerDescriptions }

// Word is a text that a choice makes untrue.
type Word struct {
	Choice latitude.Choice
	From   string
}

// Words lists them.
func Words() []Word {
	var list []Word
	for _, w := range words {
		list = append(list, Word{w.choice, w.from})
	}
	return list
}
