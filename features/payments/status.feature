@area:payments
Feature: A partner follows payments to their end

  @clause:payment.status @surface:docs
  Rule: A payment's status is answered with its amount and dates

    @choice:null-or-absent=null
    Scenario: A new payment
      Given a company
      And a payer
      And a payment request with amount "4321"
      When the partner asks for the payment's status
      Then the answer's status is "Pending"
      And the answer's amount.value is "4321"
      And the answer's amount.currency is "USD"
      And the answer's dueDate is null

    @choice:dates=seconds
    Scenario: A due date is answered as a moment
      Given a company
      And a payer
      And a payment request with dueDate "2026-04-01"
      When the partner asks for the payment's status
      Then the answer's dueDate is "2026-04-01T00:00:00Z"

  @clause:payment.status.unknown
  Rule: A payment that the integration does not have is unknown

    Scenario Outline: <deed>
      Given a company
      When the partner <deed>
      Then the service refuses it as unknown

      Examples:
        | deed                                       |
        | asks for the status of an unknown payment  |
        | asks for the details of an unknown payment |
        | cancels an unknown payment                 |
        | refunds an unknown payment                 |

    @needs:control
    Scenario Outline: The other partner <deed>
      Given a company
      And a payer
      And a payment request
      And another partner
      When the other partner <deed>
      Then the service refuses it as unknown

      Examples:
        | deed                           |
        | asks for the payment's status  |
        | asks for the payment's details |
        | cancels the payment            |
        | refunds the payment            |

  @clause:payment.status.machine
  Rule: A payment moves along the published states

    @needs:control
    Scenario Outline: <event> of a <from> payment
      Given a payment that is "<from>"
      When "<event>" happens to the payment
      Then the payment is "<to>"

      Examples:
        | from       | event    | to         |
        | Pending    | approve  | Processing |
        | Pending    | schedule | Scheduled  |
        | Pending    | queue    | Queued     |
        | Pending    | review   | InReview   |
        | Pending    | deny     | Denied     |
        | Pending    | cancel   | Canceled   |
        | Scheduled  | process  | Processing |
        | Scheduled  | cancel   | Canceled   |
        | Queued     | process  | Processing |
        | Queued     | cancel   | Canceled   |
        | InReview   | process  | Processing |
        | InReview   | deny     | Denied     |
        | InReview   | cancel   | Canceled   |
        | Processing | pay      | Paid       |
        | Processing | fail     | Failed     |
        | Paid       | return   | Failed     |

    @needs:control @choice:rate-limit=none
    Scenario Outline: A <status> payment is as it was when the sandbox goes back
      Given a payment that is "<status>"
      And the sandbox is saved
      And the partner registers a terminal payment
      And the sandbox goes back to what was saved
      When the partner asks for the transaction report
      Then the answer lists 1 transactions
      And the answer's transactions[0].amount is "5000"
      And the payment is "<status>"

      Examples:
        | status     |
        | Scheduled  |
        | Processing |
        | Paid       |
        | Failed     |

    @needs:control @choice:rate-limit=none
    Scenario: What becomes of payments is the same when the sandbox goes back
      Given a payment that is "Processing"
      And the sandbox is saved
      And 5 days pass
      And the partner asks for the transaction report
      And "return" happens to the payment
      When the partner asks for the payment's details
      Then the call is accepted without advice
      And the sandbox goes back and the same is done again

  @clause:payment.status.refused-moves @surface:docs
  Rule: A payment makes no other move

    @needs:control
    Scenario Outline: No <event> of a <from> payment
      Given a payment that is "<from>"
      When "<event>" is tried on the payment
      Then the move is refused
      And the payment is "<from>"

      Examples:
        | from       | event   |
        | Pending    | pay     |
        | Pending    | process |
        | Pending    | fail    |
        | Pending    | return  |
        | Scheduled  | approve |
        | Scheduled  | pay     |
        | Queued     | deny    |
        | Queued     | pay     |
        | InReview   | pay     |
        | Processing | cancel  |
        | Processing | approve |
        | Processing | deny    |
        | Processing | return  |
        | Paid       | cancel  |
        | Paid       | pay     |
        | Paid       | fail    |
        | Failed     | pay     |
        | Failed     | cancel  |
        | Failed     | approve |
        | Denied     | approve |
        | Denied     | cancel  |
        | Canceled   | approve |
        | Canceled   | cancel  |

  @clause:payment.status.paid @surface:docs
  Rule: An approved payment is Paid a few seconds later

    @needs:control
    Scenario: Before the time
      Given a payment that is "Processing"
      When 4 seconds pass
      Then the payment is "Processing"

    @needs:control
    Scenario: After the time
      Given a payment that is "Processing"
      When 5 seconds pass
      Then the payment is "Paid"

  @clause:payment.status.scheduled
  Rule: A payment that is due later waits for the daily batch of its day

    @needs:control
    Scenario: Approved ahead of its day
      Given a company
      And a registered payer
      And a payment request with dueDate "in 10 days"
      When "approve" happens to the payment
      Then the payment is "Scheduled"

    @needs:control
    Scenario: Just before the batch
      Given a company
      And a registered payer
      And a payment request with dueDate "2026-03-12"
      And "approve" happens to the payment
      When the clock reaches "2026-03-12T17:59:59Z"
      Then the payment is "Scheduled"

    @needs:control
    Scenario: At eleven in the morning, Pacific time
      Given a company
      And a registered payer
      And a payment request with dueDate "2026-03-12"
      And "approve" happens to the payment
      When the clock reaches "2026-03-12T18:00:00Z"
      Then the payment is "Processing"

    @needs:control
    Scenario: Due today means now
      Given a company
      And a registered payer
      And a payment request with dueDate "today"
      When "approve" happens to the payment
      Then the payment is "Processing"

  @clause:payment.status.account @surface:docs
  Rule: The payer's account decides how an approved payment goes on

    @needs:control
    Scenario Outline: An account of the bank "<bank>"
      Given a company
      And a registered payer at the bank "<bank>"
      And a payment request
      When "approve" happens to the payment
      Then the payment is "<status>"

      Examples:
        | bank                     | status     |
        | good                     | Processing |
        | slow                     | Queued     |
        | under-review             | InReview   |
        | insufficient-funds       | Failed     |
        | closed-account           | Failed     |
        | unauthorised-late-return | Processing |

    @needs:control @choice:payment-machine=late-return
    Scenario Outline: <bank> after <days> days
      Given a company
      And a registered payer at the bank "<bank>"
      And a payment request
      And "approve" happens to the payment
      When <days> days pass
      Then the payment is "<status>"

      Examples:
        | bank                     | days | status |
        | slow                     | 7    | Paid   |
        | under-review             | 7    | Paid   |
        | unauthorised-late-return | 7    | Failed |

  @clause:payment.status.canceled-stays
  Rule: Nothing is collected after a payment was cancelled

    @needs:control
    Scenario: A scheduled payment that is cancelled
      Given a company
      And a registered payer
      And a payment request with dueDate "in 3 days"
      And "approve" happens to the payment
      And the partner cancels the payment
      When 10 days pass
      Then the payment is "Canceled"
