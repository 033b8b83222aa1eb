package partner

// TokenRequest asks for an access token.
type TokenRequest struct {
	ClientID     string `json:"clientId"`
	ClientSecret string `json:"clientSecret"`
}

// Token is an access token; it expires after so many seconds.
type Token struct {
	AccessToken      string `json:"accessToken"`
	TokenType        string `json:"tokenType"`
	ExpiresInSeconds int64  `json:"expiresInSeconds"`
}

// CompanyCreated answers a company's creation.
type CompanyCreated struct {
	CompanyID   string   `json:"companyId"`
	LocationIDs []string `json:"locationIds"`
}

// CompanyList answers the list of companies.
type CompanyList struct {
	Companies []struct {
		ID          string `json:"id"`
		Name        string `json:"name"`
		ReferenceID string `json:"referenceId"`
	} `json:"companies"`
}

// Status answers the status of a company or of a payer.
type Status struct {
	Status      string  `json:"status"`
	AccountMask *string `json:"accountMask"`
}

// Registration asks to register a payer.
type Registration struct {
	RedirectURL      string `json:"redirectUrl"`
	MobileNumber     string `json:"mobileNumber,omitempty"`
	Email            string `json:"email,omitempty"`
	ShortDescription string `json:"shortDescription,omitempty"`
	Amount           int64  `json:"amount,omitempty"`
	Period           string `json:"period,omitempty"`
}

// Registered answers the registration of a payer.
type Registered struct {
	RegistrationID  string `json:"registrationId"`
	RegistrationURL string `json:"registrationUrl"`
}

// PaymentRequest asks a payer for a payment; amounts are in cents.
type PaymentRequest struct {
	Amount             int64  `json:"amount"`
	RegistrationID     string `json:"registrationId,omitempty"`
	ContactNumber      string `json:"contactNumber,omitempty"`
	LocationID         string `json:"locationId,omitempty"`
	CompanyID          string `json:"companyId,omitempty"`
	CompanyReferenceID string `json:"companyReferenceId,omitempty"`
	Reference          string `json:"reference,omitempty"`
	ShortDescription   string `json:"shortDescription,omitempty"`
	FeePayer           string `json:"feePayer,omitempty"`
	DueDate            string `json:"dueDate,omitempty"`
}

// PaymentCreated answers a payment request.
type PaymentCreated struct {
	PaymentRequestID     string  `json:"paymentRequestId"`
	AccountMask          *string `json:"accountMask"`
	URL                  string  `json:"url"`
	RegistrationPersonID string  `json:"registrationPersonId"`
}

// PaymentStatus answers the status of a payment; the amount is in cents.
type PaymentStatus struct {
	ID     string `json:"id"`
	Status string `json:"status"`
	Amount struct {
		Value    int64  `json:"value"`
		Currency string `json:"currency"`
	} `json:"amount"`
}

// Refund gives money back; the amount is in cents.
type Refund struct {
	Amount      int64  `json:"amount"`
	Description string `json:"description,omitempty"`
}
