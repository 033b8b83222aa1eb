@area:events
Feature: Payments are told

  @clause:event.payment
  Rule: Every change of a payment is told with the payment, the payer, the amount and the account

    @needs:control @choice:event-order=causal @choice:payment-timing=five-seconds
    Scenario: From approval to Paid
      Given a payment that is "Pending"
      And a webhook receiver
      And "approve" happens to the payment
      When 5 seconds pass
      Then the deliveries tell of "Processing, Paid"

    @needs:control @choice:account-mask=asterisk @choice:event-order=causal
    Scenario: What a payment's event tells
      Given a payment that is "Processing"
      And a webhook receiver
      When "pay" happens to the payment
      Then the last delivery's Event is "PAYMENT_STATUS_CHANGED"
      And the last delivery's Data.PaymentId is "the payment's id"
      And the last delivery's Data.RegistrationId is "the payer's id"
      And the last delivery's Data.Amount is "5000"
      And the last delivery's Data.AccountNumberMasked is "*1111"

    @needs:control @choice:event-order=causal @choice:payment-machine=late-return
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

    @needs:control @choice:event-order=causal
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

    @needs:control @choice:event-order=causal @choice:event-timestamp=present
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

    @needs:control @choice:event-order=causal @choice:payment-timing=five-seconds
    Scenario: A due date that is collected
      Given a debit authorisation that is "Accepted"
      And a plan that is "Active" with:
        | startDate | tomorrow |
      And a webhook receiver
      When 2 days pass
      Then the deliveries tell of "Processing, Paid"

  @clause:event.payment.saved-card
  Rule: A saved-card charge is told with what became of it

    @needs:control @choice:event-order=causal
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
