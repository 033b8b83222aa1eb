@area:transactions
Feature: A partner looks back at payments

  @clause:transaction.report @surface:docs
  Rule: The report lists payments, charges and terminal payments, oldest first

    @needs:fresh @choice:null-or-absent=null
    Scenario: Nothing yet
      Given a company
      When the partner asks for the transaction report
      Then the answer lists 0 transactions
      And the answer's hasMore is "false"
      And the answer's nextCursor is null

    @needs:control @choice:list-order=creation
    Scenario: A payment and a terminal's payment
      Given a payment that is "Pending"
      And a terminal payment
      When the partner asks for the transaction report
      Then the answer lists 2 transactions
      And the answer's transactions[0].paymentMethod is "BankAccount"
      And the answer's transactions[1].paymentMethod is "CardTerminal"

    @needs:control
    Scenario: A saved-card charge
      Given a company
      And a payer
      And a saved card "approved"
      And the partner charges the saved card
      When the partner asks for the transaction report
      Then the answer's transactions[0].paymentMethod is "SavedCard"

    @needs:control
    Scenario: Another partner sees nothing
      Given a company
      And a payer
      And a payment request
      And another partner
      When the other partner asks for the transaction report
      Then the answer lists 0 transactions

    @needs:control @choice:rate-limit=none
    Scenario: All payments of a company are there when the sandbox goes back
      Given a company
      And a payer
      And a payment request
      And another payment request
      And the sandbox is saved
      And the sandbox goes back to what was saved
      When the partner asks for the transaction report
      Then the answer lists 2 transactions

  @clause:transaction.report.states @surface:docs
  Rule: The report tells how far the money has come

    @needs:control
    Scenario Outline: A <state> payment
      Given a payment that is "<state>"
      When the partner asks for the transaction report
      Then the answer's transactions[0].status is "<status>"

      Examples:
        | state      | status    |
        | Pending    | Created   |
        | Scheduled  | Pending   |
        | Queued     | Pending   |
        | InReview   | Pending   |
        | Processing | Processed |
        | Paid       | Completed |
        | Failed     | Failed    |
        | Denied     | Cancelled |
        | Canceled   | Cancelled |

  @clause:transaction.report.refunded @surface:docs
  Rule: The report shows what was given back

    @needs:control
    Scenario: A partial refund
      Given a payment that is "Paid"
      And the partner refunds the payment with amount "1250"
      When the partner asks for the transaction report
      Then the answer's transactions[0].refundedAmount is "1250"

    @needs:fresh
    Scenario Outline: A terminal payment that is <status>
      Given a company
      And the partner registers a terminal payment with transactionStatus "<status>"
      When the partner asks for the transaction report
      Then the answer's transactions[0].refundedAmount is "<amount>"

      Examples:
        | status    | amount |
        | Refunded  | 5000   |
        | Succeeded | 0      |

  @clause:transaction.report.company-id @surface:docs
  Rule: A company in the report is named by a uuid

    Scenario: companyId as "loc-001" is refused
      Given a company
      When the partner asks for the transaction report with companyId "loc-001"
      Then the call is refused because of "query:companyId"

    @needs:fresh
    Scenario: One company's transactions
      Given a company
      And another company
      And a payer
      And a payment request
      When the partner asks for the transaction report with companyId "the other company's id"
      Then the answer lists 0 transactions
      And the call is accepted without advice

    @needs:control
    Scenario: A company that there is not
      Given the clock starts at "2026-05-06T07:08:09Z"
      And a company
      When the partner asks for the transaction report with companyId "an unknown id"
      Then the service refuses it as unknown

  @clause:transaction.report.from @surface:docs
  Rule: The report begins at an ISO 8601 moment or date

    Scenario Outline: from as "<value>" is refused
      Given a company
      When the partner asks for the transaction report with from "<value>"
      Then the call is refused because of "query:from"

      Examples:
        | value             |
        | yesterday morning |
        | 2026-02-30        |

    @needs:fresh
    Scenario Outline: from as "<value>" is accepted
      Given a company
      And a payer
      And a payment request
      When the partner asks for the transaction report with from "<value>"
      Then the answer lists <n> transactions
      And the call is accepted without advice

      Examples:
        | value                | n |
        | today                | 1 |
        | tomorrow             | 0 |
        | 2026-03-01T00:00:00Z | 1 |

    @needs:fresh
    Scenario Outline: Terminal payments since <value>
      Given a company
      And a terminal payment
      When the partner asks for the transaction report with from "<value>"
      Then the answer lists <n> transactions

      Examples:
        | value                | n |
        | today                | 1 |
        | tomorrow             | 0 |

  @clause:transaction.report.to @surface:docs
  Rule: The report ends before an ISO 8601 moment or date

    Scenario: to as "31.03.2026" is refused
      Given a company
      When the partner asks for the transaction report with to "31.03.2026"
      Then the call is refused because of "query:to"

    @needs:fresh
    Scenario Outline: to as "<value>" is accepted
      Given a company
      And a payer
      And a payment request
      When the partner asks for the transaction report with to "<value>"
      Then the answer lists <n> transactions
      And the call is accepted without advice

      Examples:
        | value                | n |
        | tomorrow             | 1 |
        | 2026-03-01           | 0 |
        | 2026-03-01T00:00:00Z | 0 |

  @clause:transaction.report.range @surface:docs
  Rule: The report does not end before it begins

    Scenario: Backwards
      Given a company
      When the partner asks for the transaction report with:
        | from | 2026-04-01 |
        | to   | 2026-03-01 |
      Then the call is refused because of "query:to"

  @clause:transaction.report.status @surface:docs
  Rule: The report can be asked for one of six statuses

    Scenario Outline: status as "<value>" is refused
      Given a company
      When the partner asks for the transaction report with status "<value>"
      Then the call is refused because of "query:status"

      Examples:
        | value |
        | Paid  |
        | Done  |

    @needs:control
    Scenario Outline: status as "<value>" is accepted
      Given a payment that is "<state>"
      When the partner asks for the transaction report with status "<value>"
      Then the answer lists 1 transactions
      And the call is accepted without advice

      Examples:
        | value     | state      |
        | Created   | Pending    |
        | Pending   | Queued     |
        | Processed | Processing |
        | Completed | Paid       |
        | Cancelled | Denied     |
        | Failed    | Failed     |
        | completed | Paid       |

    @needs:control
    Scenario: Only what was asked for
      Given a payment that is "Paid"
      When the partner asks for the transaction report with status "Failed"
      Then the answer lists 0 transactions
      And the call is accepted without advice

    @needs:fresh
    Scenario Outline: Terminal payments that are <status>
      Given a company
      And the partner registers a terminal payment with transactionStatus "Succeeded"
      When the partner asks for the transaction report with status "<status>"
      Then the answer lists <n> transactions

      Examples:
        | status    | n |
        | Completed | 1 |
        | Failed    | 0 |

  @clause:transaction.report.cursor @surface:docs
  Rule: The report goes on behind the cursor of the page before

    Scenario: cursor as "page-2" is refused
      Given a company
      When the partner asks for the transaction report with cursor "page-2"
      Then the call is refused because of "query:cursor"

    @needs:fresh @choice:rate-limit=none
    Scenario: A second page
      Given a company
      And 51 terminal payments
      And the partner asks for the transaction report
      When the partner asks for the transaction report with cursor "the next cursor"
      Then the answer lists 1 transactions
      And the answer's hasMore is "false"
      And the call is accepted without advice

    @needs:fresh @choice:rate-limit=none
    Scenario: The first page says that there is more
      Given a company
      And 51 terminal payments
      When the partner asks for the transaction report
      Then the answer lists 50 transactions
      And the answer's hasMore is "true"

  @clause:transaction.details @surface:docs
  Rule: A payment's details name the recipient, the amount and the attachments

    @needs:control
    Scenario: The answer tells that the specification does not name the operation
      Given a payment that is "Paid"
      When the partner asks for the payment's details
      Then the answer's header "Sandbox-Surface" is "docs"

    @needs:control
    Scenario: An operation that the specification names has no such mark
      Given a payment that is "Paid"
      When the partner lists the companies
      Then the answer has no header "Sandbox-Surface"

    @choice:null-or-absent=null
    Scenario: A new payment
      Given a company
      And a payer
      And a payment request
      When the partner asks for the payment's details
      Then the answer's externalPaymentRequestId is "the payment's id"
      And the answer's recipientName is "Hillside Fitness"
      And the answer's recipientAddress.city is "Los Angeles"
      And the answer's transferStatus is null

    @needs:control
    Scenario: A paid payment has a transfer
      Given a payment that is "Paid"
      When the partner asks for the payment's details
      Then the answer's transferStatus is "Completed"
