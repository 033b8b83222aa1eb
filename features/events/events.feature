@area:events
Feature: The service tells partners what happened

  @clause:event.company
  Rule: The end of a company's verification is told with the company and its status

    @needs:control
    Scenario: A verified company in rehearsal
      Given an integration in environment "rehearsal"
      And a webhook receiver
      And a company
      When the verification ends as "verified"
      Then the receiver has got 1 delivery
      And the last delivery's Event is "COMPANY_VERIFICATION_STATUS_CHANGED"
      And the last delivery's Data.CompanyId is "the company's id"
      And the last delivery's Data.Status is "Verified"

    @needs:control
    Scenario: A rejected company in rehearsal
      Given an integration in environment "rehearsal"
      And a webhook receiver
      And a company
      When the verification ends as "rejected"
      Then the last delivery's Data.Status is "Rejected"

    @needs:control
    Scenario: By time
      Given an integration in environment "rehearsal"
      And a webhook receiver
      And a company with name "KYB REJECT Gym"
      When 24 hours pass
      Then the deliveries tell of "Rejected"

    @needs:control
    Scenario: Nothing before the verification has ended
      Given an integration in environment "rehearsal"
      And a webhook receiver
      When the partner registers a company
      Then the receiver has got 0 deliveries

  @clause:event.company.shape
  Rule: A company's event has Live, Event and Data with CompanyId, Status and Timestamp

    @needs:control
    Scenario: Exactly these members
      Given a webhook receiver
      When the partner registers a company
      Then the last delivery has exactly the members:
        | Live  | truth  |
        | Event | text   |
        | Data  | object |
      And the last delivery's Data has exactly the members:
        | CompanyId | id     |
        | Status    | text   |
        | Timestamp | moment |

  @clause:event.company.timestamp
  Rule: A company's event tells the moment at which it happened

    @needs:control
    Scenario: Virtual time
      Given the clock starts at "2026-05-06T07:08:09Z"
      And a webhook receiver
      When the partner registers a company
      Then the last delivery's Data.Timestamp is "2026-05-06T07:08:09Z"

  @clause:event.company.live
  Rule: Live is false outside of production

    @needs:control
    Scenario Outline: In <environment>
      Given an integration in environment "<environment>"
      And a webhook receiver
      And a company
      When 24 hours pass
      Then the last delivery's Live is "false"
      Examples:
        | environment |
        | sandbox     |
        | rehearsal   |

  @clause:event.company.sandbox
  Rule: In the sandbox the event comes once, right after the registration

    @needs:control
    Scenario: One event
      Given a webhook receiver
      When the partner registers a company
      Then the deliveries tell of "Verified"
      And the receiver has got 1 delivery

  @clause:event.payment
  Rule: Every change of a payment is told with the payment, the payer, the amount and the account

    @needs:control
    Scenario: From approval to Paid
      Given a payment that is "Pending"
      And a webhook receiver
      And "approve" happens to the payment
      When 5 seconds pass
      Then the deliveries tell of "Processing, Paid"

    @needs:control
    Scenario: What a payment's event tells
      Given a payment that is "Processing"
      And a webhook receiver
      When "pay" happens to the payment
      Then the last delivery's Event is "PAYMENT_STATUS_CHANGED"
      And the last delivery's Data.PaymentId is "the payment's id"
      And the last delivery's Data.RegistrationId is "the payer's id"
      And the last delivery's Data.Amount is "5000"
      And the last delivery's Data.AccountNumberMasked is "*1111"

    @needs:control
    Scenario Outline: <event> of a <from> payment
      Given a payment that is "<from>"
      And a webhook receiver
      When "<event>" happens to the payment
      Then the deliveries tell of "<to>"
      Examples:
        | from       | event    | to        |
        | Pending    | deny     | Denied    |
        | Pending    | cancel   | Canceled  |
        | Pending    | schedule | Scheduled |
        | Pending    | queue    | Queued    |
        | Pending    | review   | InReview  |
        | Processing | fail     | Failed    |
        | Paid       | return   | Failed    |

    @needs:control
    Scenario: The partner's own cancellation is told too
      Given a payment that is "Pending"
      And a webhook receiver
      When the partner cancels the payment
      Then the deliveries tell of "Canceled"

    @needs:control
    Scenario: A refused move is no news
      Given a payment that is "Paid"
      And a webhook receiver
      When the partner cancels the payment
      Then the receiver has got 0 deliveries

  @clause:event.payment.shape
  Rule: A payment's event has seven members of data

    @needs:control
    Scenario: Exactly these members
      Given a payment that is "Pending"
      And a webhook receiver
      When "deny" happens to the payment
      Then the last delivery has exactly the members:
        | Live  | truth  |
        | Event | text   |
        | Data  | object |
      And the last delivery's Data has exactly the members:
        | PaymentId           | id     |
        | RegistrationId      | id     |
        | Amount              | number |
        | Currency            | text   |
        | Status              | text   |
        | Timestamp           | moment |
        | AccountNumberMasked | text   |

  @clause:event.payment.pending
  Rule: A payment that is only asked for is not told

    @needs:control
    Scenario: A new payment
      Given a company
      And a registered payer
      And a webhook receiver
      When the partner requests a payment
      Then the receiver has got 0 deliveries

  @clause:event.payment.plan @surface:provisional
  Rule: A plan's payments are told like all others

    @needs:control
    Scenario: A due date that is collected
      Given a debit authorisation that is "Accepted"
      And a plan that is "Active" with:
        | startDate | tomorrow |
      And a webhook receiver
      When 2 days pass
      Then the deliveries tell of "Processing, Paid"

  @clause:event.payment.saved-card
  Rule: A saved-card charge is told with what became of it

    @needs:control
    Scenario Outline: A card that is <card>
      Given a company
      And a payer
      And a saved card "<card>"
      And a webhook receiver
      When the partner charges the saved card
      Then the deliveries tell of "<status>"
      Examples:
        | card            | status |
        | approved        | Paid   |
        | declined        | Denied |
        | processor-error | Failed |

  @clause:event.signature
  Rule: With a secret every delivery is signed over its exact bytes

    @needs:control
    Scenario: Both events
      Given a webhook receiver with the secret "s3cret ünicode"
      And a payment that is "Paid"
      When the partner refunds the payment
      Then the receiver has got 3 deliveries
      And every delivery is signed with "s3cret ünicode"

  @clause:event.signature.none
  Rule: Without a secret nothing is signed

    @needs:control
    Scenario: No header
      Given a webhook receiver
      When the partner registers a company
      Then no delivery is signed

  @clause:event.delivery.media-type
  Rule: An event is posted as JSON

    @needs:control
    Scenario: The media type
      Given a webhook receiver
      When the partner registers a company
      Then the last delivery's header "Content-Type" is "application/json"
      And the last delivery's header "User-Agent" is "paysandbox/test"

  @clause:event.delivery.registration
  Rule: An address can be registered for some events alone

    @needs:control
    Scenario: Payments only
      Given a webhook receiver for "PAYMENT_STATUS_CHANGED"
      When the partner registers a company
      Then the receiver has got 0 deliveries

    @needs:control
    Scenario: Companies only
      Given a webhook receiver for "COMPANY_VERIFICATION_STATUS_CHANGED"
      And a payment that is "Paid"
      When 1 minute passes
      Then the deliveries tell of "Verified"

  @clause:event.delivery.retry
  Rule: A delivery that fails is tried again later, with the same bytes

    @needs:control
    Scenario: The second attempt after five seconds
      Given a webhook receiver
      And the receiver answers "500, 200"
      And a company
      When 5 seconds pass
      Then the receiver has got 2 deliveries
      And the deliveries have the same body

    @needs:control
    Scenario: Not before
      Given a webhook receiver
      And the receiver answers "500, 200"
      And a company
      When 4 seconds pass
      Then the receiver has got 1 delivery

    @needs:control
    Scenario: Eight attempts and no more
      Given a webhook receiver
      And the receiver answers "500"
      And a company
      When 10 days pass
      Then the receiver has got 8 deliveries

    @needs:control
    Scenario Outline: <status> is not a success
      Given a webhook receiver
      And the receiver answers "<status>, 200"
      And a company
      When 1 minute passes
      Then the receiver has got 2 deliveries
      Examples:
        | status |
        | 301    |
        | 400    |
        | 404    |
        | 503    |

    @needs:control
    Scenario Outline: <status> is a success
      Given a webhook receiver
      And the receiver answers "<status>"
      And a company
      When 1 day passes
      Then the receiver has got 1 delivery
      Examples:
        | status |
        | 200    |
        | 202    |
        | 204    |

  @clause:event.delivery.gone
  Rule: A receiver that is gone gets nothing more

    @needs:control
    Scenario: 410 ends the registration
      Given a webhook receiver
      And the receiver answers "410"
      And a company
      And 1 second passes
      And another company
      When 10 days pass
      Then the receiver has got 1 delivery

  @clause:event.delivery.order
  Rule: The events about one payment come in the order in which things happened

    @needs:control
    Scenario: Also when the first one fails at first
      Given a company
      And a registered payer
      And a webhook receiver
      And the receiver answers "500, 200"
      And a payment request
      And "approve" happens to the payment
      When 1 minute passes
      Then the deliveries tell of "Processing, Processing, Paid"

  @clause:event.delivery.after-answer
  Rule: An event comes after the call that caused it was answered

    @needs:control
    Scenario: The company is known when the event comes
      Given a webhook receiver
      When the partner registers a company
      Then the last delivery's Data.CompanyId is "the company's id"
