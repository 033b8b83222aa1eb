package openapi

// PartnerDescriptions are the texts for the members of the partner API's bodies.
func PartnerDescriptions() []byte { return partnerDescriptions }
