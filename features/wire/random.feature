@area:wire @needs:control
Feature: Whatever is called is answered

  @clause:error.status
  Rule: What succeeds is answered with 200, and the service never makes a mistake of its own

    Scenario Outline: <state>, and calls that are drawn by <number>
      Given a company
      And a registered payer
      And <state>
      And a webhook receiver
      When 120 calls are drawn by <number>
      Then no answer is a mistake of the service's own

      Examples:
        | state                                        | number |
        | a plan                                       | 1      |
        | a payment that is "Paid"                     | 2      |
        | a plan that is "Active"                      | 3      |
        | a saved card "approved"                      | 4      |
        | a refund that is "Accepted"                  | 5      |
        | a card authorisation that is "Challenged"    | 6      |
        | a terminal payment that is "Pending"         | 7      |
        | a debit authorisation that is "Pending"      | 8      |
        | a consent that is "Pending"                  | 9      |
        | a payment that is "Processing"               | 10     |
        | another registered payer                     | 11     |
        | a payment that is "Failed"                   | 12     |
        | a plan                                       | 13     |
        | a payment that is "Paid"                     | 14     |
        | a plan that is "Active"                      | 15     |
        | a saved card "approved"                      | 16     |
        | a refund that is "Accepted"                  | 17     |
        | a card authorisation that is "Challenged"    | 18     |
        | a terminal payment that is "Pending"         | 19     |
        | a debit authorisation that is "Pending"      | 20     |
        | a consent that is "Pending"                  | 21     |
        | a payment that is "Processing"               | 22     |
        | another payer                                | 23     |
        | a payment that is "Failed"                   | 24     |
