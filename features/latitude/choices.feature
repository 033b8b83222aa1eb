@area:wire
Feature: What the specification leaves open can be chosen
  Each rule here plays an alternative of the latitude ledger; its default is played elsewhere under the same clause.

  @clause:wire.request-names
  Rule: request-names

    @needs:control
    Scenario: camel-only
      Given the service's choice of "request-names" is "camel-only"
      When the client sends "POST /User/Register" with the bytes "{'RedirectUrl':'https://a.example.com/'}"
      Then the service refuses it as invalid

  @clause:wire.response-names
  Rule: response-names

    @needs:control
    Scenario: pascal
      Given the service's choice of "response-names" is "pascal"
      When the client sends "GET /Company/List"
      Then the answer lists 0 Companies

  @clause:wire.paths
  Rule: paths

    @needs:control
    Scenario: reference-only
      Given the service's choice of "paths" is "reference-only"
      When the client sends "GET /company/list"
      Then the service refuses it as unknown

  @clause:wire.no-extra-members
  Rule: extra-response-fields

    @needs:control
    Scenario: one
      Given the service's choice of "extra-response-fields" is "one"
      And a payer
      When the partner asks for the payer's status
      Then the answer has 3 members

  @clause:wire.field-order
  Rule: field-order

    @needs:control
    Scenario: shuffled
      Given the service's choice of "field-order" is "shuffled"
      And a company
      When the partner lists the companies
      Then every entry of companies has exactly the members:
        | id          | id   |
        | name        | text |
        | referenceId | text |

  @clause:wire.list-order
  Rule: list-order

    @needs:control
    Scenario: reversed
      Given the service's choice of "list-order" is "reversed"
      And a company
      And another company
      When the partner lists the companies
      Then the answer's companies[0].id is "the other company's id"

    @needs:control @choice:rate-limit=none
    Scenario: The last page of a reversed report has what came first
      Given the service's choice of "list-order" is "reversed"
      And a company
      And a terminal payment with amount "111"
      And 50 terminal payments
      And the partner asks for the transaction report
      When the partner asks for the transaction report with cursor "the next cursor"
      Then the answer lists 1 transactions
      And the answer's transactions[0].amount is "111"

  @clause:wire.null
  Rule: null-or-absent

    @needs:control @choice:extra-response-fields=none
    Scenario: absent
      Given the service's choice of "null-or-absent" is "absent"
      And a company
      And a payer
      When the partner requests a payment
      Then the answer has exactly the members:
        | paymentRequestId     | id   |
        | url                  | text |
        | registrationPersonId | id   |

    @needs:control
    Scenario: absent, but where the specification says null
      Given the service's choice of "null-or-absent" is "absent"
      And a payer
      When the partner asks for the payer's status
      Then the answer's accountMask is null

  @clause:request.unknown-member
  Rule: unknown-body-fields

    @needs:control
    Scenario: refused
      Given the service's choice of "unknown-body-fields" is "refused"
      When the partner registers a company with websiteURI "https://x.example.com"
      Then the call is refused because of "websiteURI"

  @clause:company.status
  Rule: company-path-ref

    @needs:control
    Scenario: reference-only
      Given the service's choice of "company-path-ref" is "reference-only"
      And a company
      When the partner asks for the company's status by its id
      Then the service refuses it as unknown

  @clause:wire.dates
  Rule: dates

    @needs:control @choice:details-shape=flat
    Scenario: millis
      Given the service's choice of "dates" is "millis"
      And the clock starts at "2026-05-06T07:08:09Z"
      And a company
      And a payer
      And a payment request
      When the partner asks for the payment's status
      Then the answer's creationDate is "2026-05-06T07:08:09.000Z"

  @clause:auth.token.lifetime
  Rule: token-lifetime

    @needs:control
    Scenario Outline: <seconds>
      Given the service's choice of "token-lifetime" is "<seconds>"
      When the partner asks for a token
      Then the answer's expiresInSeconds is "<seconds>"

      Examples:
        | seconds |
        | 60      |
        | 600     |
        | 86400   |

    @needs:control
    Scenario: A short token ends early
      Given the service's choice of "token-lifetime" is "60"
      And the partner holds a token
      And 60 seconds pass
      When the partner lists the companies
      Then the service refuses it as unauthorised

  @clause:auth.token.refused
  Rule: token-refusal

    @needs:control
    Scenario: 400
      Given the service's choice of "token-refusal" is "400"
      When the partner asks for a token with clientSecret "no-such-thing"
      Then the service refuses it as invalid

  @clause:auth.unauthorised
  Rule: unauthorised

    @needs:control @choice:error-body=problem-details
    Scenario: empty-body
      Given the service's choice of "unauthorised" is "empty-body"
      And the partner sends the authorization ""
      When the partner lists the companies
      Then the service refuses it as unauthorised
      And the refusal has no body

    @needs:control
    Scenario: empty-body, by a fault
      Given the service's choice of "unauthorised" is "empty-body"
      And the next call is met by the fault "status=401"
      When the client sends "GET /Company/List"
      Then the refusal has no body

  @clause:auth.token.path
  Rule: token-paths

    @needs:control
    Scenario: reference-only
      Given the service's choice of "token-paths" is "reference-only"
      When the partner asks for a token under the guides' path
      Then the service refuses it as unknown

  @clause:company.create.reference-unique
  Rule: duplicate-reference

    @needs:control
    Scenario: 409
      Given the service's choice of "duplicate-reference" is "409"
      And a company
      When the partner registers a company
      Then the service refuses it as a conflict

  @clause:company.create.zip
  Rule: zip

    @needs:control
    Scenario: plus-four-only
      Given the service's choice of "zip" is "plus-four-only"
      When the partner registers a company with zipCode "12345-"
      Then the call is refused because of "zipCode"

  @clause:company.status.default
  Rule: company-status-target

    @needs:control @choice:response-names=camel
    Scenario: most-recent
      Given the service's choice of "company-status-target" is "most-recent"
      And a company
      And another company
      When the partner asks for the default company's status
      Then the answer's CompanyId is "the other company's id"

  @clause:event.company.sandbox
  Rule: kyb-sandbox

    @needs:control
    Scenario: no-event
      Given the service's choice of "kyb-sandbox" is "no-event"
      And a webhook receiver
      When the partner registers a company
      Then the receiver has got 0 deliveries

  @clause:company.kyb.verified
  Rule: kyb-rehearsal

    @needs:control @choice:company-path-ref=either
    Scenario: at-once
      Given an integration in environment "rehearsal"
      And the service's choice of "kyb-rehearsal" is "at-once"
      When the partner registers a company
      Then the company is "Verified"

    @needs:control
    Scenario: after-3-reads
      Given an integration in environment "rehearsal"
      And the service's choice of "kyb-rehearsal" is "after-3-reads"
      And a company
      And the partner asks for the company's status
      And the partner asks for the company's status
      When the partner asks for the company's status
      Then the answer's status is "Verified"

  @clause:user.register.redirect
  Rule: registration-redirect

    @needs:control
    Scenario Outline: <choice>
      Given the service's choice of "registration-redirect" is "<choice>"
      And a payer
      When the payer completes the registration
      Then the payer's next page is "https://partner.example.com/registered?<added>"

      Examples:
        | choice          | added                  |
        | registration-id | registrationId={payer} |
        | status          | status=Registered      |

  @clause:user.register.single-payment
  Rule: registration-with-payment

    @needs:control
    Scenario: none
      Given the service's choice of "registration-with-payment" is "none"
      And a company
      And the partner registers a payer
      And the payer completes the registration
      When the partner asks for the transaction report
      Then the answer lists 0 transactions

  @clause:user.status.account-mask
  Rule: account-mask

    @needs:control
    Scenario: digits
      Given the service's choice of "account-mask" is "digits"
      And a registered payer
      When the partner asks for the payer's status
      Then the answer's accountMask is "1111"

  @clause:user.debit-auth.read
  Rule: debit-auth-read

    @needs:control
    Scenario: off
      Given the service's choice of "debit-auth-read" is "off"
      And a company
      And a payer
      When the partner reads the debit authorisation
      Then the answer has the status 405

  @clause:payment.create.registration-id-known
  Rule: unknown-body-ids

    @needs:control
    Scenario: 404
      Given the service's choice of "unknown-body-ids" is "404"
      And a company
      When the partner requests a payment with registrationId "an unknown id"
      Then the service refuses it as unknown

  @clause:payment.idempotency
  Rule: idempotency

    @needs:control
    Scenario: honoured
      Given the service's choice of "idempotency" is "honoured"
      And a company
      And a payer
      And the header "Idempotency-Key" is "order-1"
      And the partner requests a payment
      And the header "Idempotency-Key" is "order-1"
      When the partner requests a payment again
      Then both answers are the same

    @needs:control @needs:fresh @choice:release=v0.4.11
    Scenario: create-only
      Given the service's choice of "idempotency" is "create-only"
      And the header "Idempotency-Key" is "t-1"
      And the partner registers a terminal payment
      And the header "Idempotency-Key" is "t-1"
      And the partner registers a terminal payment again
      When the partner asks for the transaction report
      Then the answer lists 2 transactions

  @clause:payment.status.machine
  Rule: payment-machine

    @needs:control
    Scenario: no-late-return
      Given the service's choice of "payment-machine" is "no-late-return"
      And a payment that is "Paid"
      When "return" is tried on the payment
      Then the move is refused
      And the payment is "Paid"

  @clause:payment.status.paid
  Rule: payment-timing

    @needs:control
    Scenario Outline: slow, after <days> days
      Given the service's choice of "payment-timing" is "slow"
      And a payment that is "Processing"
      When <days> days pass
      Then the payment is "<status>"

      Examples:
        | days | status     |
        | 1    | Processing |
        | 3    | Paid       |

  @clause:event.payment.shape
  Rule: payment-event

    @needs:control @choice:event-order=causal @choice:event-timestamp=present
    Scenario: amount-text
      Given the service's choice of "payment-event" is "amount-text"
      And a payment that is "Pending"
      And a webhook receiver
      When "deny" happens to the payment
      Then the last delivery's Data has exactly the members:
        | PaymentId           | id     |
        | RegistrationId      | id     |
        | Amount              | text   |
        | Currency            | text   |
        | Status              | text   |
        | Timestamp           | moment |
        | AccountNumberMasked | text   |

  @clause:event.payment.shape
  Rule: event-timestamp

    @needs:control @choice:event-order=causal @choice:payment-event=amount-number
    Scenario: absent
      Given the service's choice of "event-timestamp" is "absent"
      And a payment that is "Pending"
      And a webhook receiver
      When "deny" happens to the payment
      Then the last delivery's Data has exactly the members:
        | PaymentId           | id     |
        | RegistrationId      | id     |
        | Amount              | number |
        | Currency            | text   |
        | Status              | text   |
        | AccountNumberMasked | text   |

  @clause:payment.status @surface:docs
  Rule: details-shape

    @needs:control
    Scenario: wrapped, in the status
      Given the service's choice of "details-shape" is "wrapped"
      And a company
      And a payer
      And a payment request with amount "4321"
      When the partner asks for the payment's status
      Then the answer's id.value is "the payment's id"
      And the answer's amount.value is "4321"
      And the answer's amount.currencyCode.value is "USD"

  @clause:transaction.details @surface:docs
  Rule: details-shape, in the details

    @needs:control
    Scenario: wrapped
      Given the service's choice of "details-shape" is "wrapped"
      And a company
      And a payer
      And a payment request with amount "4321"
      When the partner asks for the payment's details
      Then the answer's externalPaymentRequestId.value is "the payment's id"
      And the answer's amount.currencyCode.value is "USD"
      And the answer's recipientName is "Hillside Fitness"

    @needs:control
    Scenario: A wrapped due date
      Given the service's choice of "details-shape" is "wrapped"
      And a company
      And a payer
      And a payment request with dueDate "in 10 days"
      When the partner asks for the payment's details
      Then the answer's recipientName is "Hillside Fitness"

    @needs:control
    Scenario: A wrapped due date in the status
      Given the service's choice of "details-shape" is "wrapped"
      And a company
      And a payer
      And a payment request with dueDate "in 10 days"
      When the partner asks for the payment's status
      Then the answer's id.value is "the payment's id"

  @clause:payment.create.auto-debit
  Rule: auto-debit

    @needs:control
    Scenario: ask
      Given the service's choice of "auto-debit" is "ask"
      And a company
      And a registered payer
      And a debit authorisation up to 9000
      When the partner requests a payment
      Then the payment is "Pending"

  @clause:payment.cancel.verb
  Rule: cancel-verb

    @needs:control
    Scenario: put-only
      Given the service's choice of "cancel-verb" is "put-only"
      And a company
      And a payer
      And a payment request
      When the partner cancels the payment by POST
      Then the service refuses it as a wrong method

  @clause:payment.refund.path
  Rule: refund-path

    @needs:control
    Scenario: path-only
      Given the service's choice of "refund-path" is "path-only"
      And a payment that is "Paid"
      When the partner refunds the payment named in the query
      Then the service refuses it as unknown

  @clause:payment.return-url
  Rule: return-url

    @needs:control
    Scenario: plain
      Given the service's choice of "return-url" is "plain"
      And a card authorisation that is "Pending"
      When the payer types the card "approved"
      Then the payer's next page is "https://partner.example.com/card?paymentRequestId={payment}&status=Authorised"

  @clause:payment.saved-card.refused
  Rule: saved-card-status

    @needs:control
    Scenario: 402
      Given the service's choice of "saved-card-status" is "402"
      And a company
      And a payer
      And a saved card "declined"
      When the partner charges the saved card
      Then the service refuses it as payment required

  @clause:event.signature
  Rule: signed-bytes

    @needs:control @choice:event-order=causal @choice:kyb-sandbox=event
    Scenario: upper-hex
      Given the service's choice of "signed-bytes" is "upper-hex"
      And a webhook receiver with the secret "s3cret"
      When the partner registers a company
      Then every delivery is signed in capitals with "s3cret"

  @clause:event.delivery.retry
  Rule: retries

    @needs:control @choice:kyb-sandbox=event
    Scenario: none
      Given the service's choice of "retries" is "none"
      And a webhook receiver
      And the receiver answers "500"
      And a company
      When 10 days pass
      Then the receiver has got 1 delivery

  @clause:event.company.live
  Rule: live

    @needs:control @choice:event-order=causal @choice:kyb-sandbox=event
    Scenario: true
      Given the service's choice of "live" is "true"
      And a webhook receiver
      When the partner registers a company
      Then the last delivery's Live is "true"

  @clause:event.delivery.media-type
  Rule: delivery-headers

    @needs:control @choice:event-order=causal @choice:kyb-sandbox=event
    Scenario: none
      Given the service's choice of "delivery-headers" is "none"
      And a webhook receiver
      When the partner registers a company
      Then the last delivery's header "Sandbox-Delivery" is ""

  @clause:error.body
  Rule: error-body

    @needs:control
    Scenario: plain-text
      Given the service's choice of "error-body" is "plain-text"
      When the partner registers a company with zipCode "1"
      Then the service refuses it as invalid
      And the answer comes as "text/plain; charset=utf-8"
      And the answer's text is exactly:
        """
        /zipCode: expected five digits, optionally a hyphen and four more; send a US zip code, for example 94610 or 94610-1234

        """

    @needs:control
    Scenario: plain-text of what has no field
      Given the service's choice of "error-body" is "plain-text"
      When the partner asks for the status of an unknown company
      Then the service refuses it as unknown
      And the answer's text is exactly:
        """
        no company no-such-company in this integration

        """

    @needs:control
    Scenario: empty
      Given the service's choice of "error-body" is "empty"
      When the partner registers a payer with redirectUrl "nothing"
      Then the service refuses it as invalid
      And the refusal has no body
      And the tape tells of "/redirectUrl" what the answer does not

  @clause:limit.rate
  Rule: rate-limit

    @needs:control @choice:error-body=problem-details
    Scenario: 10/s
      Given the service's choice of "rate-limit" is "10/s"
      When the partner lists the companies 20 times
      Then the service refuses it as too many
      And the refusal speaks of "the rate limit is reached; wait 1 s of virtual time"
      And the answer's header "Retry-After" is "1"

    @needs:control
    Scenario: 100/s
      Given the service's choice of "rate-limit" is "100/s"
      When the partner lists the companies 150 times
      Then the service refuses it as too many

  @clause:event.delivery.order
  Rule: event-order

    @needs:control @choice:payment-timing=five-seconds
    Scenario: shuffled
      Given the service's choice of "event-order" is "shuffled"
      And a company
      And a registered payer
      And a webhook receiver
      And a payment request
      And "approve" happens to the payment
      When 1 minute passes
      Then the deliveries tell of "Paid, Processing"

    @needs:control
    Scenario: duplicated
      Given the service's choice of "event-order" is "duplicated"
      And a payment that is "Pending"
      And a webhook receiver
      And "deny" happens to the payment
      When 1 minute passes
      Then the deliveries tell of "Denied, Denied"

  @clause:event.delivery.after-answer
  Rule: event-before-response

    @needs:control @choice:event-order=causal @choice:kyb-sandbox=event
    Scenario: yes
      Given the service's choice of "event-before-response" is "yes"
      And a webhook receiver
      When the partner registers a company
      Then the deliveries tell of "Verified"

  @clause:card-payment.unknown-member
  Rule: release

    @needs:control
    Scenario Outline: v0.4.9 takes <member>
      Given the service's choice of "release" is "v0.4.9"
      And another company
      And a company
      And the partner registers a terminal payment with <member> "<value>"
      When the partner asks for the transaction report with <member> "<value>"
      Then the answer lists 1 transactions

      Examples:
        | member             | value                   |
        | companyId          | the company's id        |
        | companyReferenceId | the company's reference |

  @clause:company.create.contact-number
  Rule: phone

    @needs:control
    Scenario: possible
      Given the service's choice of "phone" is "possible"
      And the partner registers a company with contactNumber "+12135550100000"
      When the partner lists the companies
      Then one of the answer's companies has referenceId "the company's reference"

  @clause:payment.create.company-verified
  Rule: collect-unverified

    @needs:control @choice:kyb-rehearsal=seeded
    Scenario: refused
      Given the service's choice of "collect-unverified" is "refused"
      And an integration in environment "rehearsal"
      And a company
      And a payer
      When the partner requests a payment
      Then the call is refused because of "locationId"

    @needs:control @choice:kyb-rehearsal=seeded
    Scenario: refused, with a reference
      Given the service's choice of "collect-unverified" is "refused"
      And an integration in environment "rehearsal"
      And a company
      And a payer
      When the partner requests a payment with:
        | locationId         | nothing                 |
        | companyReferenceId | the company's reference |
      Then the call is refused because of "companyReferenceId"

  @clause:user.register.company-verified
  Rule: collect-unverified

    @needs:control @choice:kyb-rehearsal=seeded @choice:registration-with-payment=payment-request
    Scenario: refused, with a registration
      Given the service's choice of "collect-unverified" is "refused"
      And an integration in environment "rehearsal"
      And a company
      When the partner registers a payer with amount "500"
      Then the call is refused because of "amount"

  @clause:payment.create.link
  Rule: link-expiry

    @needs:control
    Scenario Outline: <life>
      Given the service's choice of "link-expiry" is "<life>"
      And a company
      And a payer
      When the partner requests a payment
      And <days> days pass
      Then the payer's link to the payment has expired

      Examples:
        | life | days |
        | 24h  | 1    |
        | 30d  | 30   |

    @needs:control
    Scenario: What was open when the link expired changes nothing
      Given the service's choice of "link-expiry" is "24h"
      And a company
      And a payer
      And the payer opens the registration page
      And 1 day passes
      When the payer answers the page with:
        | step | bank |
        | bank | slow |
      Then the page answers with the status 410

  @clause:payment.create.metadata-shown
  Rule: metadata-shown

    @needs:control @choice:extra-response-fields=none @choice:null-or-absent=null
    Scenario: nowhere
      Given the service's choice of "metadata-shown" is "nowhere"
      And a company
      And a payer
      And the partner requests a payment with metadata "an object of notes"
      When the partner asks for the payment's details
      Then the answer has 14 members

  @clause:plan.failure @surface:provisional
  Rule: plan-failure

    @needs:control
    Scenario Outline: <failures>
      Given the service's choice of "plan-failure" is "<failures>"
      And a registered payer at the bank "insufficient-funds"
      And a debit authorisation that is "Accepted"
      And a plan that is "Active" with:
        | startDate    | tomorrow |
        | intervalUnit | Day      |
        | occurrences  | 5        |
      When <days> days pass
      Then the plan is "<state>"

      Examples:
        | failures | days | state  |
        | 1        | 4    | Failed |
        | never    | 4    | Active |
        | never    | 10   | Failed |
