@area:plans
Feature: A plan collects on its due dates

  @clause:plan.occurrence @surface:provisional
  Rule: On each due date every payer who has accepted gets one payment

    @needs:control
    Scenario: Two due dates
      Given a plan that is "Active" with:
        | startDate    | 2026-03-05 |
        | intervalUnit | Week       |
      And 14 days pass
      When the partner asks for the transaction report
      Then the answer lists 2 transactions
      And the answer's transactions[0].status is "Created"

    @needs:control
    Scenario Outline: Every <n> <unit>s
      Given a plan that is "Active" with:
        | startDate     | 2026-03-05 |
        | intervalUnit  | <unit>     |
        | intervalValue | <n>        |
      And the clock reaches "2026-03-06T20:00:00Z"
      When the partner reads the plan
      Then the answer's nextDueDate is "<due>"
      And the answer's intervalValue is "<n>"

      Examples:
        | n | unit    | due        |
        | 3 | Day     | 2026-03-08 |
        | 2 | Week    | 2026-03-19 |
        | 2 | Month   | 2026-05-05 |
        | 2 | Quarter | 2026-09-05 |
        | 2 | Year    | 2028-03-05 |

    @needs:control @choice:payment-timing=five-seconds
    Scenario: A payer with a debit authorisation pays without being asked
      Given a debit authorisation that is "Accepted"
      And a plan that is "Active" with:
        | startDate | tomorrow |
      And 2 days pass
      When the partner asks for the transaction report
      Then the answer's transactions[0].status is "Completed"

    @needs:control
    Scenario: A pause skips its due dates
      Given a plan that is "Active" with:
        | startDate    | tomorrow |
        | intervalUnit | Day      |
      And the partner pauses the plan
      And 10 days pass
      When the partner asks for the transaction report
      Then the answer lists 0 transactions

    @needs:control
    Scenario Outline: A plan that is due on 5 March and goes on at <moment>
      Given a plan that is "Active" with:
        | startDate    | 2026-03-05 |
        | intervalUnit | Week       |
      And the partner pauses the plan
      And the clock reaches "<moment>"
      And the partner activates the plan
      When the partner reads the plan
      Then the answer's nextDueDate is "<due>"

      Examples:
        | moment               | due        |
        | 2026-03-05T18:59:00Z | 2026-03-05 |
        | 2026-03-05T19:01:00Z | 2026-03-12 |

    @needs:control
    Scenario Outline: A plan that is due on 5 March and begins at <moment>
      Given a plan that is "Draft" with:
        | startDate | 2026-03-05 |
      And the clock reaches "<moment>"
      And the partner activates the plan
      When the partner reads the plan
      Then the answer's nextDueDate is "<due>"

      Examples:
        | moment               | due        |
        | 2026-03-05T18:59:00Z | 2026-03-05 |
        | 2026-03-05T19:01:00Z | 2026-04-05 |
        | 2026-03-06T03:00:00Z | 2026-04-05 |
        | 2026-03-06T19:01:00Z | 2026-04-05 |

    @needs:control
    Scenario: Nobody who has declined is asked
      Given a plan that is "Active" with:
        | startDate | tomorrow |
      And the partner declines the consent
      And 2 days pass
      When the partner asks for the transaction report
      Then the answer lists 0 transactions

  @clause:plan.occurrence.month-end @surface:provisional
  Rule: A month that is too short has its due date on its last day

    @needs:control
    Scenario Outline: After <moment>
      Given a plan that is "Active" with:
        | startDate | 2027-01-31 |
      And the clock reaches "<moment>"
      When the partner reads the plan
      Then the answer's nextDueDate is "<due>"

      Examples:
        | moment               | due        |
        | 2027-01-01T00:00:00Z | 2027-01-31 |
        | 2027-02-01T00:00:00Z | 2027-02-28 |
        | 2027-03-02T00:00:00Z | 2027-03-31 |
        | 2027-04-02T00:00:00Z | 2027-04-30 |

    @needs:control
    Scenario Outline: February has as many days as it has in its own year: <moment>
      Given the clock starts at "<start>"
      And a plan that is "Active" with:
        | startDate | <first> |
      And the clock reaches "<moment>"
      When the partner reads the plan
      Then the answer's nextDueDate is "<due>"

      Examples:
        | start                | first      | moment               | due        |
        | 2027-01-20T17:00:00Z | 2027-01-31 | 2027-02-02T00:00:00Z | 2027-02-28 |
        | 2028-01-20T17:00:00Z | 2028-01-31 | 2028-02-02T00:00:00Z | 2028-02-29 |
        | 2029-01-20T17:00:00Z | 2029-01-31 | 2029-02-02T00:00:00Z | 2029-02-28 |
        | 2028-12-20T17:00:00Z | 2028-12-31 | 2029-01-02T00:00:00Z | 2029-01-31 |

    @needs:control
    Scenario Outline: <value> <unit> from the last of February
      Given the clock starts at "2028-02-20T17:00:00Z"
      And a plan that is "Active" with:
        | startDate     | 2028-02-29 |
        | intervalValue | <value>    |
        | intervalUnit  | <unit>     |
      And the clock reaches "2028-03-01T00:00:00Z"
      When the partner reads the plan
      Then the answer's nextDueDate is "<due>"

      Examples:
        | value | unit    | due        |
        | 1     | Month   | 2028-03-29 |
        | 12    | Month   | 2029-02-28 |
        | 1     | Quarter | 2028-05-29 |
        | 4     | Quarter | 2029-02-28 |
        | 1     | Year    | 2029-02-28 |
        | 4     | Year    | 2032-02-29 |
        | 2     | Week    | 2028-03-14 |
        | 366   | Day     | 2029-03-01 |

  @clause:plan.occurrence.completed @surface:provisional
  Rule: A plan is Completed when no due date is left and every payment was fulfilled

    @needs:control
    Scenario: One due date
      Given a debit authorisation that is "Accepted"
      And a plan that is "Active" with:
        | startDate   | tomorrow |
        | occurrences | 1        |
      When 5 days pass
      Then the plan is "Completed"

    @needs:control
    Scenario: A payment that waits for its payer keeps the plan open
      Given a plan that is "Active" with:
        | startDate   | tomorrow |
        | occurrences | 1        |
      When 5 days pass
      Then the plan is "Active"

  @clause:plan.failure @surface:provisional
  Rule: A plan whose payments are not fulfilled becomes Failed

    @needs:control
    Scenario Outline: <days> due dates that are all refused
      Given a registered payer at the bank "insufficient-funds"
      And a debit authorisation that is "Accepted"
      And a plan that is "Active" with:
        | startDate    | tomorrow |
        | intervalUnit | Day      |
        | occurrences  | <days>   |
      When 10 days pass
      Then the plan is "Failed"

      Examples:
        | days |
        | 2    |
        | 5    |

    @needs:control
    Scenario: A plan that is activated again counts anew
      Given a registered payer at the bank "insufficient-funds"
      And a debit authorisation that is "Accepted"
      And a plan that is "Active" with:
        | startDate    | tomorrow |
        | intervalUnit | Day      |
      And 10 days pass
      And the partner activates the plan
      When 1 day passes
      Then the plan is "Active"

    @needs:control
    Scenario: A plan that is activated when no due date is left is not Completed
      Given a registered payer at the bank "insufficient-funds"
      And a debit authorisation that is "Accepted"
      And a plan that is "Active" with:
        | startDate    | tomorrow |
        | intervalUnit | Day      |
        | occurrences  | 4        |
      And 10 days pass
      When the partner activates the plan
      Then the plan is "Failed"

  @clause:plan.recurring @surface:docs
  Rule: One call makes a plan for one payer, which activates itself when the payer accepts

    @needs:control
    Scenario: The payer is asked
      Given a company
      And a payer
      When the partner sets up a recurring payment
      Then the answer's paymentPlanId is an id
      And the plan is "Draft"
      And the message "consent-request" goes out by sms to "+12025550123"

    @needs:control
    Scenario: The payer accepts
      Given a company
      And a registered payer
      And the partner sets up a recurring payment
      And the partner lists the consents
      When "accept" happens to the consent
      Then the plan is "Active"

    @needs:control
    Scenario: The registered payer is asked and nobody else
      Given a company
      And a registered payer
      And another registered payer
      When the partner sets up a recurring payment with phoneNumber "nothing"
      Then the message "consent-request" goes out by sms to "+12025550123"
      And no message "consent-request" goes out by sms to "+12025550177"

    @needs:control
    Scenario: A payer who is found by the number is reached at the address that is known
      Given a company
      And a payer
      And the partner requests a payment with:
        | registrationId | nothing        |
        | contactNumber  | +12025550123   |
        | emailAddress   | jo@example.com |
      When the partner sets up a recurring payment
      Then the message "consent-request" goes out by email to "pat.lindgren@example.com"
      And no message "consent-request" goes out by email to "jo@example.com"

    @needs:control
    Scenario: A payer who is known by the number alone
      Given a company
      When the partner sets up a recurring payment with:
        | registrationUserId | nothing      |
        | phoneNumber        | +12025550144 |
      Then the message "consent-request" goes out by sms to "+12025550144"
