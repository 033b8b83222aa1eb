@area:payments
Feature: A partner requests payments

  @clause:payment.create
  Rule: A payment request answers its id, the payer, the account's mask and the payer's page

    @needs:control
    Scenario: From a registered payer
      Given a company
      And a registered payer
      When the partner requests a payment
      Then the call is accepted without advice
      And the answer's paymentRequestId is an id
      And the answer's registrationPersonId is "the payer's id"
      And the answer's accountMask is "*1111"
      And the answer's url is a web address

    Scenario: From somebody who has not linked an account
      Given a company
      And a payer
      When the partner requests a payment
      Then the answer's accountMask is null

    @needs:control
    Scenario: The payment is found again
      Given a company
      And a registered payer
      When the partner requests a payment
      Then the payment is "Pending"

  @clause:payment.create.message
  Rule: The payer gets the link by every contact that the request names

    @needs:control
    Scenario: By text message and e-mail
      Given a company
      And a registered payer
      When the partner requests a payment
      Then the message "payment-request" goes out by sms to "+12025550123"
      And the message "payment-request" goes out by email to "pat.lindgren@example.com"
      And the message "payment-request" holds "link, amount, company"

  @clause:payment.create.amount
  Rule: A payment has an amount

    Scenario Outline: amount as "<value>" is refused
      Given a company
      And a payer
      When the partner requests a payment with amount "<value>"
      Then the call is refused because of "amount"

      Examples:
        | value   |
        | nothing |
        | null    |

  @clause:payment.create.amount-range
  Rule: A payment's amount is at least one cent

    Scenario Outline: amount as "<value>" is refused
      Given a company
      And a payer
      When the partner requests a payment with amount "<value>"
      Then the call is refused because of "amount"

      Examples:
        | value                |
        | 0                    |
        | -1                   |
        | -5000                |
        | -9223372036854775808 |

    Scenario Outline: amount as "<value>" is accepted
      Given a company
      And a payer
      When the partner requests a payment with amount "<value>"
      Then the call succeeds

      Examples:
        | value               |
        | 1                   |
        | 5000                |
        | 2147483647          |
        | 2147483648          |
        | 9223372036854775807 |

  @clause:payment.create.target
  Rule: A payment names its payer by registration, contact number or e-mail address

    Scenario: Nobody is named
      Given a company
      When the partner requests a payment with:
        | registrationId | nothing |
        | contactNumber  | nothing |
        | emailAddress   | nothing |
      Then the call is refused because of "$"

    Scenario Outline: <member> alone is enough
      Given a company
      When the partner requests a payment with:
        | contactNumber | nothing |
        | emailAddress  | nothing |
        | <member>      | <value> |
      Then the call succeeds
      And the answer's registrationPersonId is an id
      Examples:
        | member        | value          |
        | contactNumber | +12025550188   |
        | emailAddress  | jo@example.com |

    Scenario: The same contact is the same payer
      Given a company
      And the partner requests a payment
      When the partner requests a payment
      Then the answer's registrationPersonId is "the paying person's id"

  @clause:payment.create.registration-id
  Rule: A payer is named by a uuid

    Scenario Outline: registrationId as "<value>" is refused
      Given a company
      And a payer
      When the partner requests a payment with registrationId "<value>"
      Then the call is refused because of "registrationId"

      Examples:
        | value                   |
        | pat                     |
        | 42                      |
        | 0f0c4a53-9d3e-4f1f-8e9d |

  @clause:payment.create.registration-id-known
  Rule: A payer who is named is one of the integration's

    Scenario: registrationId as "an unknown id" is refused
      Given a company
      And a payer
      When the partner requests a payment with registrationId "an unknown id"
      Then the call is refused because of "registrationId"

  @clause:payment.create.contact-number
  Rule: A payer's contact number is a valid phone number

    Scenario Outline: contactNumber as "<value>" is refused
      Given a company
      And a payer
      When the partner requests a payment with contactNumber "<value>"
      Then the call is refused because of "contactNumber"

      Examples:
        | value   |
        | 12      |
        | call me |

    Scenario Outline: contactNumber as "<value>" is accepted
      Given a company
      And a payer
      When the partner requests a payment with contactNumber "<value>"
      Then the call succeeds

      Examples:
        | value         |
        | +12025550188  |
        | 2025550188    |
        | +442079460958 |

  @clause:payment.create.email
  Rule: A payer's e-mail address is valid

    Scenario Outline: emailAddress as "<value>" is refused
      Given a company
      And a payer
      When the partner requests a payment with emailAddress "<value>"
      Then the call is refused because of "emailAddress"

      Examples:
        | value       |
        | pat         |
        | pat@example |

  @clause:payment.create.fee-payer
  Rule: The fee is borne by the client, the partner, or whom the payer chooses

    Scenario Outline: feePayer as "<value>" needs no advice
      Given a company
      And a payer
      When the partner requests a payment with feePayer "<value>"
      Then the call is accepted without advice

      Examples:
        | value   |
        | client  |
        | partner |
        | ask     |
        | nothing |
        | null    |

    Scenario Outline: feePayer as "<value>" is accepted with an advice
      Given a company
      And a payer
      When the partner requests a payment with feePayer "<value>"
      Then the call is accepted with an advice about "feePayer"

      Examples:
        | value  |
        | payer  |
        | nobody |

    @needs:control
    Scenario: A strict integration refuses feePayer as "payer"
      Given a strict integration
      And a company
      And a payer
      When the partner requests a payment with feePayer "payer"
      Then the call is refused because of "feePayer"

  @clause:payment.create.due-date
  Rule: A due date is a day of the calendar

    Scenario Outline: dueDate as "<value>" is refused
      Given a company
      And a payer
      When the partner requests a payment with dueDate "<value>"
      Then the call is refused because of "dueDate"

      Examples:
        | value                |
        | 31.03.2026           |
        | 2026-3-1             |
        | 2026-02-29           |
        | 2026-02-30           |
        | 2026-13-01           |
        | tomorrow morning     |
        | 2026-03-31T00:00:00Z |
        | 2200-01-01           |

    Scenario Outline: dueDate as "<value>" needs no advice
      Given a company
      And a payer
      When the partner requests a payment with dueDate "<value>"
      Then the call is accepted without advice

      Examples:
        | value      |
        | today      |
        | tomorrow   |
        | 2028-02-29 |
        | nothing    |
        | null       |

  @clause:payment.create.due-date-past
  Rule: A due date should not have passed

    Scenario Outline: dueDate as "<value>" is accepted with an advice
      Given a company
      And a payer
      When the partner requests a payment with dueDate "<value>"
      Then the call is accepted with an advice about "dueDate"

      Examples:
        | value      |
        | yesterday  |
        | 2020-01-01 |

    @needs:control
    Scenario: A strict integration refuses dueDate as "yesterday"
      Given a strict integration
      And a company
      And a payer
      When the partner requests a payment with dueDate "yesterday"
      Then the call is refused because of "dueDate"

  @clause:payment.create.return-url
  Rule: The return address is one that a browser can be sent to

    Scenario Outline: returnUrl as "<value>" is refused
      Given a company
      And a payer
      When the partner requests a payment with returnUrl "<value>"
      Then the call is refused because of "returnUrl"

      Examples:
        | value               |
        | paid                |
        | /paid               |
        | ftp://example.com/x |

    Scenario Outline: returnUrl as "<value>" needs no advice
      Given a company
      And a payer
      When the partner requests a payment with returnUrl "<value>"
      Then the call is accepted without advice

      Examples:
        | value                            |
        | https://partner.example.com/paid |
        | nothing                          |
        | null                             |

  @clause:payment.create.location-id
  Rule: A location is named by a uuid

    Scenario Outline: locationId as "<value>" is refused
      Given a company
      And a payer
      When the partner requests a payment with locationId "<value>"
      Then the call is refused because of "locationId"

      Examples:
        | value    |
        | downtown |
        | 1        |

  @clause:payment.create.location-id-known
  Rule: A location that is named is one of the integration's

    Scenario: locationId as "an unknown id" is refused
      Given a company
      And a payer
      When the partner requests a payment with locationId "an unknown id"
      Then the call is refused because of "locationId"

  @clause:payment.create.company-id
  Rule: A company is named by a uuid

    Scenario Outline: companyId as "<value>" is refused
      Given a company
      And a payer
      When the partner requests a payment with companyId "<value>"
      Then the call is refused because of "companyId"

      Examples:
        | value   |
        | loc-001 |
        | 1       |

  @clause:payment.create.company-id-known
  Rule: A company that is named is one of the integration's

    Scenario: companyId as "an unknown id" is refused
      Given a company
      And a payer
      When the partner requests a payment with companyId "an unknown id"
      Then the call is refused because of "companyId"

  @clause:payment.create.company-reference-known
  Rule: A company's reference is one of the integration's

    Scenario: companyReferenceId as "loc-404" is refused
      Given a company
      And a payer
      When the partner requests a payment with companyReferenceId "loc-404"
      Then the call is refused because of "companyReferenceId"

  @clause:payment.create.company-same
  Rule: Location, company and reference name one company

    Scenario: companyId as "the other company's id" is refused
      Given another company
      And a company
      And a payer
      When the partner requests a payment with companyId "the other company's id"
      Then the call is refused because of "companyId"

    Scenario: companyReferenceId as "the other company's reference" is refused
      Given another company
      And a company
      And a payer
      When the partner requests a payment with companyReferenceId "the other company's reference"
      Then the call is refused because of "companyReferenceId"

    Scenario: companyId as "the company's id" is accepted
      Given a company
      And a payer
      When the partner requests a payment with companyId "the company's id"
      Then the call succeeds

    Scenario: companyReferenceId as "the company's reference" is accepted
      Given a company
      And a payer
      When the partner requests a payment with companyReferenceId "the company's reference"
      Then the call succeeds

  @clause:payment.create.company
  Rule: A payment needs a company

    Scenario: The integration has none
      Given a payer
      When the partner requests a payment
      Then the call is refused because of "companyId"

    Scenario Outline: The company named by <member> is paid
      Given a company
      And another company with name "Harbor Fitness"
      And a payer
      And the partner requests a payment with:
        | locationId | nothing |
        | <member>   | <value> |
      When the partner asks for the payment's details
      Then the answer's recipientName is "Harbor Fitness"
      Examples:
        | member             | value                         |
        | locationId         | the other location's id       |
        | companyId          | the other company's id        |
        | companyReferenceId | the other company's reference |

    Scenario: Without a name the first company is paid
      Given a company
      And another company with name "Harbor Fitness"
      And a payer
      And the partner requests a payment with locationId "nothing"
      When the partner asks for the payment's details
      Then the answer's recipientName is "Hillside Fitness"

  @clause:payment.create.company-reference
  Rule: The target company can be named by its reference

    Scenario: companyReferenceId as "the company's reference" is accepted
      Given a company
      And a payer
      When the partner requests a payment with companyReferenceId "the company's reference"
      Then the call succeeds

  @clause:payment.create.auto-pay
  Rule: Both names of the debit wish say the same

    Scenario: They contradict each other
      Given a company
      And a payer
      When the partner requests a payment with:
        | enableDebitAuth | true  |
        | enableAutoPay   | false |
        | debitAuthLimit  | 9000  |
      Then the call is refused because of "enableAutoPay"

    Scenario: They agree
      Given a company
      And a payer
      When the partner requests a payment with:
        | enableDebitAuth | true |
        | enableAutoPay   | true |
        | debitAuthLimit  | 9000 |
      Then the call succeeds

  @clause:payment.create.auto-pay-limit
  Rule: Both names of the debit limit say the same

    Scenario: They contradict each other
      Given a company
      And a payer
      When the partner requests a payment with:
        | enableDebitAuth | true |
        | debitAuthLimit  | 9000 |
        | autoPayLimit    | 8000 |
      Then the call is refused because of "autoPayLimit"

  @clause:payment.create.debit-auth
  Rule: A payment can ask for a debit authorisation under either pair of names

    @needs:control
    Scenario Outline: Asked by <switch>
      Given a company
      And a registered payer
      When the partner requests a payment with:
        | <switch> | true |
        | <limit>  | 9000 |
      Then the call is accepted without advice
      And the debit authorisation is "Pending"
      Examples:
        | switch          | limit          |
        | enableDebitAuth | debitAuthLimit |
        | enableAutoPay   | autoPayLimit   |

  @clause:payment.create.debit-auth-limit
  Rule: A debit limit is at least one cent

    Scenario Outline: A limit of <limit>
      Given a company
      And a payer
      When the partner requests a payment with:
        | enableDebitAuth | true    |
        | debitAuthLimit  | <limit> |
      Then the call is refused because of "debitAuthLimit"
      Examples:
        | limit |
        | 0     |
        | -1    |

  @clause:payment.create.debit-auth-limit-missing
  Rule: A wish for a debit authorisation should come with a limit

    Scenario: enableDebitAuth as "true" is accepted with an advice
      Given a company
      And a payer
      When the partner requests a payment with enableDebitAuth "true"
      Then the call is accepted with an advice about "debitAuthLimit"

    @needs:control
    Scenario: A strict integration refuses enableDebitAuth as "true"
      Given a strict integration
      And a company
      And a payer
      When the partner requests a payment with enableDebitAuth "true"
      Then the call is refused because of "debitAuthLimit"

  @clause:payment.create.debit-auth-limit-unused
  Rule: A debit limit should come with the wish for a debit authorisation

    Scenario: debitAuthLimit as "9000" is accepted with an advice
      Given a company
      And a payer
      When the partner requests a payment with debitAuthLimit "9000"
      Then the call is accepted with an advice about "debitAuthLimit"

    @needs:control
    Scenario: A strict integration refuses debitAuthLimit as "9000"
      Given a strict integration
      And a company
      And a payer
      When the partner requests a payment with debitAuthLimit "9000"
      Then the call is refused because of "debitAuthLimit"

  @clause:payment.create.attachment
  Rule: An attachment is a file in base64 or the address of one

    Scenario Outline: attachment as "<value>" is refused
      Given a company
      And a payer
      When the partner requests a payment with attachment "<value>"
      Then the call is refused because of "attachment"

      Examples:
        | value                   |
        | not base64!             |
        | ftp://example.com/x.pdf |

    Scenario Outline: attachment as "<value>" needs no advice
      Given a company
      And a payer
      When the partner requests a payment with attachment "<value>"
      Then the call is accepted without advice

      Examples:
        | value   |
        | a PDF   |
        | nothing |
        | null    |

  @clause:payment.create.attachment-pdf
  Rule: An attachment should be a PDF

    Scenario: attachment as "a text file" is accepted with an advice
      Given a company
      And a payer
      When the partner requests a payment with attachment "a text file"
      Then the call is accepted with an advice about "attachment"

    @needs:control
    Scenario: A strict integration refuses attachment as "a text file"
      Given a strict integration
      And a company
      And a payer
      When the partner requests a payment with attachment "a text file"
      Then the call is refused because of "attachment"

  @clause:payment.attachment.stored
  Rule: An attachment is kept with its payment

    Scenario: A PDF in base64
      Given a company
      And a payer
      And the partner requests a payment with attachment "a PDF"
      When the partner asks for the payment's details
      Then the answer lists 1 attachments
      And the answer's attachments[0].contentType is "application/pdf"

  @clause:payment.create.metadata
  Rule: Metadata is any object

    Scenario Outline: metadata as "<value>" needs no advice
      Given a company
      And a payer
      When the partner requests a payment with metadata "<value>"
      Then the call is accepted without advice

      Examples:
        | value              |
        | an object of notes |
        | nothing            |
        | null               |

  @clause:payment.create.free-members
  Rule: Reference, description and the one-time mark may be left out

    Scenario Outline: Without <member>
      Given a company
      And a payer
      When the partner requests a payment with <member> "nothing"
      Then the call is accepted without advice
      Examples:
        | member           |
        | reference        |
        | shortDescription |
        | oneTimePayment   |
        | contactNumber    |
        | emailAddress     |

  @clause:payment.idempotency
  Rule: A repeated call with the same key and the same body answers the first answer again

    Scenario: One payment, two calls
      Given a company
      And a payer
      And the header "Idempotency-Key" is "order-1"
      And the partner requests a payment
      And the header "Idempotency-Key" is "order-1"
      When the partner requests a payment again
      Then both answers are the same
      And the answer's header "Idempotent-Replayed" is "true"

    Scenario: Only one payment is there
      Given a company
      And a payer
      And the header "Idempotency-Key" is "order-1"
      And the partner requests a payment
      And the header "Idempotency-Key" is "order-1"
      And the partner requests a payment again
      When the partner asks for the transaction report
      Then the answer lists 1 transactions

    Scenario: Without a key every call is a new one
      Given a company
      And a payer
      And the partner requests a payment
      When the partner requests a payment again
      Then the answers differ in paymentRequestId

    Scenario: A terminal payment is not registered twice
      Given the header "Idempotency-Key" is "t-1"
      And the partner registers a terminal payment
      And the header "Idempotency-Key" is "t-1"
      And the partner registers a terminal payment again
      When the partner asks for the transaction report
      Then the answer lists 1 transactions

    @needs:control
    Scenario: The key is kept for 24 hours
      Given a company
      And a payer
      And the header "Idempotency-Key" is "order-1"
      And the partner requests a payment
      And 24 hours pass
      And the header "Idempotency-Key" is "order-1"
      When the partner requests a payment again
      Then the answers differ in paymentRequestId

  @clause:payment.idempotency.reuse
  Rule: A key that comes back with another body is refused

    Scenario: Another amount under the same key
      Given a company
      And a payer
      And the header "Idempotency-Key" is "order-1"
      And the partner requests a payment
      And the header "Idempotency-Key" is "order-1"
      When the partner requests a payment with amount "1"
      Then the service refuses it as a reused key

  @clause:payment.idempotency.key
  Rule: A key is 1 to 255 printable characters

    Scenario Outline: <key> as the key
      Given a company
      And a payer
      And the header "Idempotency-Key" is "<key>"
      When the partner requests a payment
      Then the service refuses it as invalid
      And the call cites the clause
      Examples:
        | key         |
        | 256 letters |
        | clé         |

    Scenario: The longest key
      Given a company
      And a payer
      And the header "Idempotency-Key" is "255 letters"
      When the partner requests a payment
      Then the call succeeds
