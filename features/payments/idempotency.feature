@area:payments
Feature: A partner repeats a call safely

  @clause:payment.idempotency
  Rule: A repeated call with the same key and the same body answers the first answer again

    @needs:control
    Scenario: One payment, two calls
      Given the service's choice of "idempotency" is "honoured"
      And a company
      And a payer
      And the header "Idempotency-Key" is "order-1"
      And the partner requests a payment
      And the header "Idempotency-Key" is "order-1"
      When the partner requests a payment again
      Then both answers are the same

    @needs:control
    Scenario: The second answer says that it is a repetition
      Given the service's choice of "idempotency" is "honoured"
      And a company
      And a payer
      And the header "Idempotency-Key" is "order-1"
      And the partner requests a payment
      And the header "Idempotency-Key" is "order-1"
      When the partner requests a payment again
      Then the answer's header "Idempotent-Replayed" is "true"

    @needs:control @needs:fresh
    Scenario: Only one payment is there
      Given the service's choice of "idempotency" is "honoured"
      And a company
      And the header "Idempotency-Key" is "order-1"
      And the partner requests a payment
      And the header "Idempotency-Key" is "order-1"
      And the partner requests a payment again
      When the partner asks for the transaction report
      Then the answer lists 1 transactions

    @needs:control
    Scenario: Without a key every call is a new one
      Given the service's choice of "idempotency" is "honoured"
      And a company
      And a payer
      And the partner requests a payment
      When the partner requests a payment again
      Then the answers differ in paymentRequestId

    @needs:control @needs:fresh @choice:release=v0.4.11
    Scenario: A terminal payment is not registered twice
      Given the service's choice of "idempotency" is "honoured"
      And the header "Idempotency-Key" is "t-1"
      And the partner registers a terminal payment
      And the header "Idempotency-Key" is "t-1"
      And the partner registers a terminal payment again
      When the partner asks for the transaction report
      Then the answer lists 1 transactions

    @needs:control
    Scenario: The key is kept for 24 hours
      Given the service's choice of "idempotency" is "honoured"
      And a company
      And the header "Idempotency-Key" is "order-1"
      And the partner requests a payment
      And 24 hours pass
      And the header "Idempotency-Key" is "order-1"
      When the partner requests a payment again
      Then the answers differ in paymentRequestId

  @clause:payment.idempotency.reuse
  Rule: A key that comes back with another body is refused

    @needs:control
    Scenario: Another amount under the same key
      Given the service's choice of "idempotency" is "honoured"
      And a company
      And a payer
      And the header "Idempotency-Key" is "order-1"
      And the partner requests a payment
      And the header "Idempotency-Key" is "order-1"
      When the partner requests a payment with amount "1"
      Then the service refuses it as a reused key

  @clause:payment.idempotency.key
  Rule: A key is 1 to 255 printable characters

    @needs:control
    Scenario Outline: <key> as the key
      Given the service's choice of "idempotency" is "honoured"
      And a company
      And a payer
      And the header "Idempotency-Key" is "<key>"
      When the partner requests a payment
      Then the service refuses it as invalid
      And the call cites the clause

      Examples:
        | key         |
        | 256 letters |
        | clé         |

    @needs:control
    Scenario Outline: The longest key, and the first and last characters that it may have: <key>
      Given the service's choice of "idempotency" is "honoured"
      And a company
      And a payer
      And the header "Idempotency-Key" is "<key>"
      And the partner requests a payment
      And the header "Idempotency-Key" is "<key>"
      When the partner requests a payment again
      Then both answers are the same

      Examples:
        | key         |
        | 255 letters |
        | order 1     |
        | order~1     |

  @clause:payment.idempotency.ignored
  Rule: A key that is ignored is warned of

    Scenario: The same call twice is two payments
      Given a company
      And a payer
      And the header "Idempotency-Key" is "order-1"
      And the partner requests a payment
      And the header "Idempotency-Key" is "order-1"
      When the partner requests a payment again
      Then the answers differ in paymentRequestId
      And the call is accepted with an advice about "header:Idempotency-Key"

    @needs:control
    Scenario: What to do without keys
      Given a company
      And a payer
      And the header "Idempotency-Key" is "order-1"
      When the partner requests a payment
      Then the tape tells of "header:Idempotency-Key" what the answer does not
