@area:events
Feature: Events are signed and delivered

  @clause:event.signature
  Rule: With a secret every delivery is signed over its exact bytes

    @needs:control @choice:event-order=causal @choice:kyb-sandbox=event @choice:signed-bytes=lower-hex
    Scenario: Both events
      Given a webhook receiver with the secret "s3cret ünicode"
      And a payment that is "Paid"
      When the partner refunds the payment
      Then the receiver has got 3 deliveries
      And every delivery is signed with "s3cret ünicode"

    @needs:control @choice:event-order=causal @choice:kyb-sandbox=event
    Scenario Outline: A receiver can be tried with signatures that are <profile>
      Given a webhook receiver with the secret "s3cret"
      And the deliveries go wrong by "<profile>"
      When the partner registers a company
      Then the receiver has got 1 delivery
      And no delivery is rightly signed with "s3cret"

      Examples:
        | profile           |
        | wrong-secret      |
        | missing-signature |
        | altered-byte      |
        | altered-signature |
        | empty-secret      |

    @needs:control @choice:event-order=causal @choice:kyb-sandbox=event
    Scenario: Each delivery whose byte was altered is JSON still, and tells of another thing
      Given a webhook receiver
      And the receiver answers "401"
      And the deliveries go wrong by "altered-byte"
      And a company
      When 10 days pass
      Then the receiver has got 8 deliveries
      And one digit of every delivery is another than in its event

    @needs:control @choice:event-order=causal @choice:kyb-sandbox=event @choice:signed-bytes=lower-hex
    Scenario Outline: What is unusual is signed all the same: <profile>
      Given a webhook receiver with the secret "s3cret"
      And the deliveries go wrong by "<profile>"
      When the partner registers a company
      Then the receiver has got 1 delivery
      And every delivery is signed with "s3cret"

      Examples:
        | profile       |
        | odd-json      |
        | extra-member  |
        | unknown-event |
        | slow-read     |

  @clause:event.signature.none
  Rule: Without a secret nothing is signed

    @needs:control @choice:event-order=causal @choice:kyb-sandbox=event
    Scenario: No header
      Given a webhook receiver
      When the partner registers a company
      Then no delivery is signed

  @clause:event.delivery.media-type
  Rule: An event is posted as JSON

    @needs:control @choice:event-order=causal @choice:kyb-sandbox=event
    Scenario: The media type
      Given a webhook receiver
      When the partner registers a company
      Then the last delivery's header "Content-Type" is "application/json"

    @needs:control @choice:event-order=causal @choice:kyb-sandbox=event @choice:delivery-headers=none
    Scenario: What comes with a signed event
      Given a webhook receiver with the secret "s3cret"
      When the partner registers a company
      Then the last delivery comes with the headers "Content-Length, Content-Type, X-Hmac-Signature"

    @needs:control @choice:event-order=causal @choice:kyb-sandbox=event @choice:dates=seconds @choice:event-timestamp=present @choice:live=false
    Scenario: The event of a company, byte for byte
      Given a webhook receiver
      When the partner registers a company
      Then the last delivery is:
        """
        {"Live":false,"Event":"COMPANY_VERIFICATION_STATUS_CHANGED","Data":{"CompanyId":"{company}","Status":"Verified","Timestamp":"2026-03-02T17:00:00Z"}}
        """

    @needs:control @choice:event-order=causal @choice:account-mask=asterisk @choice:dates=seconds @choice:event-timestamp=present @choice:live=false @choice:payment-event=amount-number
    Scenario: The event of a payment, byte for byte
      Given a payment that is "Processing"
      And a webhook receiver
      When "pay" happens to the payment
      Then the last delivery is:
        """
        {"Live":false,"Event":"PAYMENT_STATUS_CHANGED","Data":{"PaymentId":"{payment}","RegistrationId":"{payer}","Amount":5000,"Currency":"USD","Status":"Paid","Timestamp":"2026-03-02T17:00:00Z","AccountNumberMasked":"*1111"}}
        """

  @clause:event.delivery.registration
  Rule: An address can be registered for some events alone

    @needs:control
    Scenario: Payments only
      Given a webhook receiver for "PAYMENT_STATUS_CHANGED"
      When the partner registers a company
      Then the receiver has got 0 deliveries

    @needs:control @choice:event-order=causal @choice:kyb-sandbox=event
    Scenario: Companies only
      Given a webhook receiver for "COMPANY_VERIFICATION_STATUS_CHANGED"
      And a payment that is "Paid"
      When 1 minute passes
      Then the deliveries tell of "Verified"

  @clause:event.delivery.retry
  Rule: A delivery that fails is tried again later, with the same bytes

    @needs:control @choice:event-order=causal @choice:kyb-sandbox=event
    Scenario: The second attempt after five seconds
      Given a webhook receiver
      And the receiver answers "500, 200"
      And a company
      When 5 seconds pass
      Then the receiver has got 2 deliveries
      And the deliveries have the same body

    @needs:control @choice:event-order=causal @choice:kyb-sandbox=event
    Scenario: Not before
      Given a webhook receiver
      And the receiver answers "500, 200"
      And a company
      When 4 seconds pass
      Then the receiver has got 1 delivery

    @needs:control @choice:kyb-sandbox=event
    Scenario: Eight attempts and no more
      Given a webhook receiver
      And the receiver answers "500"
      And a company
      When 10 days pass
      Then the receiver has got 8 deliveries

    @needs:control @choice:event-order=causal @choice:kyb-sandbox=event
    Scenario Outline: <status> is not a success
      Given a webhook receiver
      And the receiver answers "<status>, 200"
      And a company
      When 1 minute passes
      Then the receiver has got 2 deliveries

      Examples:
        | status |
        | 300    |
        | 301    |
        | 302    |
        | 303    |
        | 307    |
        | 308    |
        | 399    |
        | 400    |
        | 401    |
        | 404    |
        | 409    |
        | 411    |
        | 429    |
        | 499    |
        | 500    |
        | 502    |
        | 503    |
        | 599    |

    @needs:control @choice:event-order=causal @choice:kyb-sandbox=event
    Scenario Outline: <status> is a success
      Given a webhook receiver
      And the receiver answers "<status>"
      And a company
      When 1 day passes
      Then the receiver has got 1 delivery

      Examples:
        | status |
        | 200    |
        | 201    |
        | 202    |
        | 204    |
        | 205    |
        | 206    |
        | 299    |

    @needs:control @choice:event-order=causal @choice:kyb-sandbox=event
    Scenario Outline: A receiver can be tried with the same event twice: <profile>
      Given a webhook receiver
      And the deliveries go wrong by "<profile>"
      When the partner registers a company
      Then the receiver has got 2 deliveries
      And the deliveries have the same body

      Examples:
        | profile            |
        | duplicate          |
        | parallel-duplicate |

  @clause:event.delivery.gone
  Rule: A receiver that is gone gets nothing more

    @needs:control @choice:kyb-sandbox=event
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

    @needs:control @choice:payment-timing=five-seconds @choice:retries=scheduled
    Scenario: Also when the first one fails at first
      Given a company
      And a registered payer
      And a webhook receiver
      And the receiver answers "500, 200"
      And a payment request
      And "approve" happens to the payment
      When 1 minute passes
      Then the deliveries tell of "Processing, Processing, Paid"

    @needs:control @choice:event-order=causal @choice:payment-timing=five-seconds
    Scenario Outline: A receiver can be tried with another order: <profile>
      Given a company
      And a registered payer
      And a webhook receiver
      And the deliveries go wrong by "<profile>"
      And a payment request
      And "approve" happens to the payment
      When 2 hours pass
      Then the deliveries tell of "<told>"

      Examples:
        | profile   | told                                 |
        | reorder   | Paid, Processing                     |
        | duplicate | Processing, Processing, Paid, Paid   |
        | delay     | Processing, Paid                     |
        | burst     | Processing, Paid                     |

    @needs:control @choice:event-order=causal @choice:payment-timing=five-seconds
    Scenario: A delivery that was held back comes right behind the one that overtakes it
      Given a company
      And a registered payer
      And a webhook receiver
      And the deliveries go wrong by "reorder"
      And a payment request
      And "approve" happens to the payment
      When 5 seconds pass
      Then the deliveries tell of "Paid, Processing"

    @needs:control @choice:event-order=causal @choice:kyb-sandbox=event
    Scenario Outline: How long a delivery waits at least: <profile>
      Given a webhook receiver
      And the deliveries go wrong by "<profile>"
      And a company
      When <seconds> seconds pass
      Then the receiver has got 0 deliveries

      Examples:
        | profile | seconds |
        | delay   | 59      |
        | burst   | 59      |
        | reorder | 59      |

    @needs:control @choice:event-order=causal @choice:kyb-sandbox=event
    Scenario Outline: How long a delivery waits at most: <profile>
      Given a webhook receiver
      And the deliveries go wrong by "<profile>"
      And a company
      When <minutes> minutes pass
      Then the receiver has got 1 delivery

      Examples:
        | profile | minutes |
        | delay   | 60      |
        | burst   | 1       |
        | reorder | 1       |

    @needs:control @choice:event-order=causal @choice:kyb-sandbox=event @choice:payment-timing=five-seconds @choice:retries=scheduled
    Scenario: Two events are owed after one has arrived
      Given a webhook receiver
      And the receiver answers "200, 500, 500, 200"
      And a company
      And the receiver has got 1 delivery
      And a payment request
      And "approve" happens to the payment
      When 1 hour passes
      Then the deliveries tell of "Verified, Processing, Processing, Processing, Paid"

  @clause:event.delivery.after-answer
  Rule: An event comes after the call that caused it was answered

    @needs:control @choice:event-order=causal @choice:kyb-sandbox=event
    Scenario: The call does not wait for the receiver
      Given a webhook receiver that waits for the partner's call
      When the partner registers a company
      Then the event has come after the answer

    @needs:control @choice:event-order=causal @choice:kyb-sandbox=event
    Scenario: The company is known when the event comes
      Given a webhook receiver
      When the partner registers a company
      Then the last delivery's Data.CompanyId is "the company's id"
