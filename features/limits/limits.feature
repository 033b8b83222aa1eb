@area:limits
Feature: The service has limits

  @clause:limit.rate
  Rule: There is no limit to the number of calls

    Scenario: A hundred calls in one second
      Given a company
      When the partner lists the companies 100 times
      Then one of the answer's companies has referenceId "the company's reference"

  @clause:limit.amount
  Rule: An amount is kept exactly, however large

    Scenario Outline: <amount> cents
      Given a company
      And a payer
      And a payment request with amount "<amount>"
      When the partner asks for the payment's status
      Then the answer's amount.value is "<amount>"

      Examples:
        | amount              |
        | 1                   |
        | 2147483648          |
        | 9007199254740993    |
        | 9223372036854775807 |

  @clause:limit.charge
  Rule: A saved-card charge is at most 2^31-1 cents

    @needs:control
    Scenario: The largest charge
      Given a company
      And a payer
      And a saved card "approved"
      When the partner charges the saved card with amount "2147483647"
      Then the answer's chargedAmount is "2147483647"

  @clause:limit.attachment
  Rule: An attachment is at most 10 MiB

    Scenario: A file that is too large
      Given a company
      And a payer
      When the partner requests a payment with an attachment of 11000000 bytes
      Then the service refuses it as too large

    Scenario: A file that fits is kept
      Given a company
      And a payer
      And the partner requests a payment with an attachment of 1000000 bytes
      When the partner asks for the payment's details
      Then the answer lists 1 attachments

  @clause:limit.verification
  Rule: No verification takes longer than 24 hours

    @needs:control @choice:company-path-ref=either
    Scenario Outline: <name>
      Given an integration in environment "rehearsal"
      And a company with name "<name>"
      When 24 hours pass
      Then the company is "Verified"

      Examples:
        | name         |
        | Hillside     |
        | KYB SLOW Gym |
        | Kybele       |
