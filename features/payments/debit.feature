@area:payments
Feature: A payment can ask for a debit authorisation

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

    @needs:control @choice:debit-auth-read=on
    Scenario: They agree
      Given a company
      And a registered payer
      And the partner requests a payment with:
        | enableDebitAuth | true |
        | enableAutoPay   | true |
        | debitAuthLimit  | 9000 |
      And "accept" happens to the debit authorisation
      When the partner reads the debit authorisation
      Then the answer's limit is "9000"

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

    @needs:control
    Scenario: A payment without either asks for none
      Given a company
      And a registered payer
      When the partner requests a payment
      Then no message "debit-authorisation-request" goes out by sms

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
