@area:payments
Feature: A partner cancels payments

  @clause:payment.cancel
  Rule: A payment that is still outstanding is cancelled, and the answer is empty

    @needs:control
    Scenario Outline: A <status> payment
      Given a payment that is "<status>"
      When the partner cancels the payment
      Then the answer is empty
      And the payment is "Canceled"

      Examples:
        | status    |
        | Pending   |
        | Scheduled |
        | Queued    |
        | InReview  |

  @clause:payment.cancel.refused
  Rule: A payment that is not outstanding any more cannot be cancelled

    @needs:control
    Scenario Outline: A <status> payment
      Given a payment that is "<status>"
      When the partner cancels the payment
      Then the service refuses it as invalid
      And the payment is "<status>"

      Examples:
        | status     |
        | Processing |
        | Paid       |
        | Failed     |
        | Denied     |
        | Canceled   |

  @clause:payment.cancel.verb @surface:docs
  Rule: A payment can be cancelled by POST as well

    Scenario: By POST
      Given a company
      And a payer
      And a payment request
      And the payment is "Pending"
      When the partner cancels the payment by POST
      Then the answer is empty
      And the payment is "Canceled"

  @clause:payment.deny
  Rule: A payer who says no ends the payment

    @needs:control
    Scenario: The payer denies
      Given a company
      And a registered payer
      And a payment request
      When "deny" happens to the payment
      Then the payment is "Denied"

  @clause:payment.fail.return-code @surface:docs
  Rule: A bank that refuses a payment makes it Failed

    @needs:control
    Scenario Outline: The return code <code>
      Given a payment that is "Processing"
      When the payment fails with "<code>"
      Then the payment is "Failed"

      Examples:
        | code |
        | R01  |
        | R02  |
        | R10  |

  @clause:payment.return-url
  Rule: The return address gets the payment's status, encrypted under the status key

    @needs:control
    Scenario: With a status key
      Given the status key "a shared key"
      And a card authorisation that is "Pending"
      When the payer types the card "approved"
      Then the payer's next page tells of "Authorised" under the key "a shared key"

    @needs:control
    Scenario: Without a status key nothing is added
      Given a card authorisation that is "Pending"
      When the payer types the card "approved"
      Then the payer's next page is "https://partner.example.com/card"
