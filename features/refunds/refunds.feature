@area:refunds
Feature: A partner gives money back

  @clause:payment.refund
  Rule: A paid payment is refunded in part or in full, and the answer is empty

    @needs:control
    Scenario Outline: <amount> of 5000 cents
      Given a payment that is "Paid"
      When the partner refunds the payment with amount "<amount>"
      Then the answer is empty
      And the refund is "Accepted"

      Examples:
        | amount |
        | 1      |
        | 2000   |
        | 5000   |

    @needs:control
    Scenario: Of two payments the one that was paid is refunded
      Given a payment that is "Paid"
      And the payment is called "first payment"
      And a payment request
      And the payment is the one called "first payment"
      When the partner refunds the payment
      Then the answer is empty
      And the payment is "Paid"

    @needs:control
    Scenario: A saved-card charge is refunded too
      Given a company
      And a payer
      And a saved card "approved"
      And the partner charges the saved card
      When the partner refunds the payment
      Then the answer is empty

    @needs:control @choice:account-mask=asterisk
    Scenario: The company gives money back in its back office
      Given a payment that is "Paid"
      And the company looks at the payment in its back office
      When the company answers the page with:
        | amount | $12.34       |
        | reason | One was late |
      Then the refund is "Accepted"
      And the page says "$12.34"
      And the page says "One was late"
      And the page's refunded is "$12.34"
      And the page is, with all that it can send:
        """
        Payment of $50.00 Paid Payer pat.lindgren@example.com Requested Mar 2, 2026, 17:00 UTC For Membership, October Reference
        invoice-1001 Bank account *1111 Fee paid by client Refunded $12.34 Payment request {opaque} Attachments There are none.
        Refunds $12.34 on March 2, 2026, Accepted: One was late [form action=/pages/{opaque}/portal/{opaque}/payments/{opaque}
        aria-labelledby=refund-title] Give money back [input type=hidden name=csrf value={opaque}] Amount in dollars At most
        $37.66. [input name=amount type=text value autocomplete=off maxlength=20 aria-describedby=amount-hint] Reason For your own
        records. [input name=reason type=text value autocomplete=off maxlength=200 aria-describedby=reason-hint] [button] Refund
        [a href=/pages/{opaque}/portal/{opaque}] All payments
        """

    @needs:control
    Scenario Outline: An amount that cannot be given back: <amount>
      Given a payment that is "Paid"
      And the company looks at the payment in its back office
      When the company answers the page with:
        | amount | <amount> |
      Then the page answers with the status 400
      And the page says "<told>"

      Examples:
        | amount | told                                             |
        | 0      | Type an amount in dollars, for example 12.50.    |
        | ten    | Type an amount in dollars, for example 12.50.    |
        | 1,23   | Is this $1.23 or $123.00?                        |
        | 50.01  | This is more than what is left of the payment.   |
        | 999,999,999,999,999   | This is more than what is left of the payment. |
        | 1,000,000,000,000,000 | Type an amount in dollars, for example 12.50.  |

    @needs:control @choice:account-mask=asterisk
    Scenario Outline: An amount as people write it: <amount>
      Given a payment that is "Paid" with:
        | amount | 200000 |
      And the company looks at the payment in its back office
      When the company answers the page with:
        | amount | <amount> |
      Then the page's refunded is "<given>"

      Examples:
        | amount    | given     |
        | 12        | $12.00    |
        | 12.5      | $12.50    |
        | $1,234.56 | $1,234.56 |

    @needs:control
    Scenario: Nothing can be given back of a payment of which all was given back
      Given a payment that is "Paid"
      And the partner refunds the payment with amount "5000"
      When the company looks at the payment in its back office
      Then the page does not say "Give money back"
      And the page's refunded is "$50.00"

    @needs:control
    Scenario Outline: Nothing can be given back of a payment that is <status>
      Given a payment that is "<status>"
      When the company looks at the payment in its back office
      Then the page does not say "Give money back"
      And the page's status is "<status>"
      And the page's header "Content-Type" is "text/html; charset=utf-8"

      Examples:
        | status  |
        | Pending |
        | Failed  |

    @needs:control @choice:account-mask=asterisk
    Scenario: The back office shows the payment
      Given a payment that is "Paid"
      When the company looks at the payment in its back office
      Then the page's status is "Paid"
      And the page's reference is "invoice-1001"
      And the page's description is "Membership, October"
      And the page's account-mask is "*1111"
      And the page's fee-payer is "client"
      And the page is, with all that it can send:
        """
        Payment of $50.00 Paid Payer pat.lindgren@example.com Requested Mar 2, 2026, 17:00 UTC For Membership, October Reference
        invoice-1001 Bank account *1111 Fee paid by client Payment request {opaque} Attachments There are none. Refunds There are
        none. [form action=/pages/{opaque}/portal/{opaque}/payments/{opaque} aria-labelledby=refund-title] Give money back [input
        type=hidden name=csrf value={opaque}] Amount in dollars At most $50.00. [input name=amount type=text value
        autocomplete=off maxlength=20 aria-describedby=amount-hint] Reason For your own records. [input name=reason type=text
        value autocomplete=off maxlength=200 aria-describedby=reason-hint] [button] Refund [a
        href=/pages/{opaque}/portal/{opaque}] All payments
        """

    @needs:control @choice:rate-limit=none
    Scenario: The back office lists all payments, newest first
      Given a company
      And a registered payer
      And the partner requests a payment 26 times
      And the company looks at the payment in its back office
      And the company follows "back"
      When the company follows "next"
      Then the page does not say "Next page"
      And the page is, with all that it can send:
        """
        Hillside Fitness Back office · reference loc-001 · newest first Payments [a href=/pages/{opaque}/portal/{opaque}
        aria-current=page] All [a href=/pages/{opaque}/portal/{opaque}?status=Pending] Pending [a
        href=/pages/{opaque}/portal/{opaque}?status=Scheduled] Scheduled [a href=/pages/{opaque}/portal/{opaque}?status=Queued]
        Queued [a href=/pages/{opaque}/portal/{opaque}?status=InReview] InReview [a
        href=/pages/{opaque}/portal/{opaque}?status=Processing] Processing [a href=/pages/{opaque}/portal/{opaque}?status=Paid]
        Paid [a href=/pages/{opaque}/portal/{opaque}?status=Failed] Failed [a href=/pages/{opaque}/portal/{opaque}?status=Denied]
        Denied [a href=/pages/{opaque}/portal/{opaque}?status=Canceled] Canceled Requested Payer For Status Amount Mar 2, 2026,
        17:00 UTC pat.lindgren@example.com Membership, October Pending [a href=/pages/{opaque}/portal/{opaque}/payments/{opaque}]
        $50.00 of pat.lindgren@example.com, Pending [a href=/pages/{opaque}/portal/{opaque}?] First page
        """

    @needs:control
    Scenario: The newest payment stands first in the back office
      Given a company
      And a registered payer
      And the partner requests a payment with amount "111"
      And the partner requests a payment with amount "222"
      And the company looks at the payment in its back office
      When the company follows "back"
      Then the page says "Pending $2.22 of pat.lindgren@example.com, Pending Mar 2, 2026, 17:00 UTC pat.lindgren@example.com Membership, October Pending $1.11"

    @needs:control
    Scenario Outline: The back office lists the payments of one status: <filter>
      Given a payment that is "Paid"
      And the company looks at the payment in its back office
      And the company follows "back"
      When the company follows "filter-<filter>"
      Then the page says "<told>"

      Examples:
        | filter | told               |
        | Paid   | $50.00             |
        | Failed | No payment is Failed. |

    @needs:control
    Scenario: The attachment of a refund is there
      Given a payment that is "Paid"
      And the partner refunds the payment
      And the company looks at the payment in its back office
      When the company follows "refund.pdf"
      Then the page answers with the status 200
      And the page's header "Content-Type" is "application/pdf"
      And the page says "%PDF-1.4"

    @needs:control @choice:rate-limit=none
    Scenario: The attachment of a refund is there when the sandbox goes back
      Given a refund that is "Accepted"
      And the sandbox is saved
      And the sandbox goes back to what was saved
      And the company looks at the payment in its back office
      When the company follows "refund.pdf"
      Then the page answers with the status 200
      And the page says "%PDF-1.4"

    @needs:control @choice:account-mask=asterisk
    Scenario: Two refunds and what is left
      Given a payment that is "Paid"
      And the partner refunds the payment with amount "1000"
      And the partner refunds the payment with amount "1500"
      When the company looks at the payment in its back office
      Then the page says "$10.00 on March"
      And the page says "$15.00 on March"
      And the page's refunded is "$25.00"
      And the page is, with all that it can send:
        """
        Payment of $50.00 Paid Payer pat.lindgren@example.com Requested Mar 2, 2026, 17:00 UTC For Membership, October Reference
        invoice-1001 Bank account *1111 Fee paid by client Refunded $25.00 Payment request {opaque} Attachments There are none.
        Refunds $10.00 on March 2, 2026, Accepted: Two classes were cancelled [a
        href=/pages/{opaque}/portal/{opaque}/payments/{opaque}/attachments/{opaque}] refund.pdf $15.00 on March 2, 2026, Accepted:
        Two classes were cancelled [a href=/pages/{opaque}/portal/{opaque}/payments/{opaque}/attachments/{opaque}] refund.pdf
        [form action=/pages/{opaque}/portal/{opaque}/payments/{opaque} aria-labelledby=refund-title] Give money back [input
        type=hidden name=csrf value={opaque}] Amount in dollars At most $25.00. [input name=amount type=text value
        autocomplete=off maxlength=20 aria-describedby=amount-hint] Reason For your own records. [input name=reason type=text
        value autocomplete=off maxlength=200 aria-describedby=reason-hint] [button] Refund [a
        href=/pages/{opaque}/portal/{opaque}] All payments
        """

    @needs:control
    Scenario: What the sandbox shows of refunds
      Given a payment that is "Paid"
      When the partner refunds the payment
      Then the sandbox shows "the refunds" as:
        """
        {"entities":[{"kind":"refund","id":"{id}","machine":"refund","status":"Accepted","summary":"$20.00 back: Two classes were cancelled","amount":2000,"created":"2026-03-02T17:00:00Z","changed":"2026-03-02T17:00:00Z","relations":[{"relation":"payment","kind":"payment","id":"{payment}"}],
        "console":"/console/{integration}/entities/{id}"}],"next":null,"searched":1,"total":1,"kinds":[{"kind":"company","total":1},
        {"kind":"location","total":1},{"kind":"registration","total":1},{"kind":"payment","total":1},{"kind":"card-authorisation","total":0},
        {"kind":"saved-card","total":0},{"kind":"refund","total":1},{"kind":"debit-authorisation","total":0},{"kind":"plan","total":0},
        {"kind":"consent","total":0},{"kind":"card-payment","total":0}]}
        """

    @needs:control @choice:rate-limit=none
    Scenario: All refunds of a payment are there when the sandbox goes back
      Given a payment that is "Paid"
      And the partner refunds the payment with amount "1000"
      And the partner refunds the payment with amount "500"
      And the sandbox is saved in a file
      And the sandbox goes back to what was saved
      When the company looks at the payment in its back office
      Then the page says "$10.00"
      And the page says "$5.00"

    @needs:control
    Scenario Outline: A file of a refund has a name that can be saved under: <name>
      Given a payment that is "Paid"
      And the partner refunds the payment with attachment.fileName "<name>"
      And the company looks at the payment in its back office
      When the company follows "<shown>"
      Then the page answers with the status 200
      And the page says "%PDF-1.4"

      Examples:
        | name          | shown         |
        | ../secret.pdf | _secret.pdf   |
        | a/b:c.pdf     | a_b_c.pdf     |
        | ..            | attachment    |
        | two words.pdf | two words.pdf |

    @needs:control
    Scenario: A file that says it is a page is none
      Given a payment that is "Paid"
      And the partner refunds the payment with attachment.fileType "text/html"
      And the company looks at the payment in its back office
      When the company follows "refund.pdf"
      Then the page's header "Content-Type" is "application/octet-stream"

  @clause:payment.refund.path @surface:docs
  Rule: The payment to be refunded can be named in the query

    @needs:control
    Scenario: By query
      Given a payment that is "Paid"
      When the partner refunds the payment named in the query
      Then the answer is empty

  @clause:payment.refund.amount
  Rule: A refund has an amount

    @needs:control
    Scenario: amount as "nothing" is refused
      Given a payment that is "Paid"
      When the partner refunds the payment with amount "nothing"
      Then the call is refused because of "amount"

  @clause:payment.refund.amount-range
  Rule: A refund is at least one cent

    @needs:control
    Scenario Outline: amount as "<value>" is refused
      Given a payment that is "Paid"
      When the partner refunds the payment with amount "<value>"
      Then the call is refused because of "amount"

      Examples:
        | value |
        | 0     |
        | -1    |

  @clause:payment.refund.amount-left
  Rule: All refunds of a payment together give back its amount at most

    @needs:control
    Scenario: amount as "5001" is refused
      Given a payment that is "Paid"
      When the partner refunds the payment with amount "5001"
      Then the call is refused because of "amount"

    @needs:control
    Scenario: Two refunds that are too much together
      Given a payment that is "Paid"
      And the partner refunds the payment with amount "3000"
      When the partner refunds the payment with amount "2001"
      Then the call is refused because of "amount"

    @needs:control @choice:error-body=problem-details
    Scenario: What is left is told
      Given a payment that is "Paid"
      And the partner refunds the payment with amount "3000"
      When the partner refunds the payment with amount "2001"
      Then the refusal expects "at most what is left of the payment, which is 2000", and to mend it "refund less: all refunds of a payment together give back its amount at most"

    @needs:control
    Scenario: Two refunds that fit
      Given a payment that is "Paid"
      And the partner refunds the payment with amount "3000"
      And the partner refunds the payment with amount "2000"
      When the partner asks for the transaction report
      Then the answer's transactions[0].refundedAmount is "5000"

    @needs:control
    Scenario: A refund that failed sets its amount free
      Given a payment that is "Paid"
      And the partner refunds the payment with amount "5000"
      And "fail" happens to the refund
      And the partner refunds the payment with amount "5000"
      When the partner asks for the transaction report
      Then the answer's transactions[0].refundedAmount is "5000"

  @clause:payment.refund.after-paid
  Rule: Only a payment that is Paid can be refunded

    @needs:control
    Scenario Outline: A <status> payment
      Given a payment that is "<status>"
      When the partner refunds the payment
      Then the call is refused because of "path:paymentRequestId"

      Examples:
        | status     |
        | Pending    |
        | Scheduled  |
        | Processing |
        | Failed     |
        | Denied     |
        | Canceled   |

    @needs:control @choice:error-body=problem-details
    Scenario Outline: Which status a payment has is told: <status>
      Given a payment that is "<status>"
      When the partner refunds the payment
      Then the refusal expects "a payment that is Paid; this one is <status>", and to mend it "refund after the payment has become Paid"

      Examples:
        | status     |
        | Pending    |
        | Scheduled  |
        | Processing |
        | Failed     |
        | Denied     |
        | Canceled   |

    @choice:error-body=problem-details
    Scenario: A card authorisation has moved no money
      Given a company
      And a payer
      And the partner asks for a card authorisation
      When the partner refunds the payment
      Then the refusal expects "a payment that is Paid; this one is a card authorisation that is Pending", and to mend it "cancel the authorisation: no money has moved"

  @clause:payment.refund.description
  Rule: A description may be left out

    @needs:control
    Scenario Outline: description as "<value>" needs no advice
      Given a payment that is "Paid"
      When the partner refunds the payment with description "<value>"
      Then the call is accepted without advice

      Examples:
        | value                      |
        | nothing                    |
        | Two classes were cancelled |

  @clause:payment.refund.attachment-name
  Rule: A refund's attachment has a file name

    @needs:control
    Scenario: attachment.fileName as "nothing" is refused
      Given a payment that is "Paid"
      When the partner refunds the payment with attachment.fileName "nothing"
      Then the call is refused because of "attachment.fileName"

  @clause:payment.refund.attachment-data
  Rule: A refund's attachment has its file in base64

    @needs:control
    Scenario Outline: attachment.fileData as "<value>" is refused
      Given a payment that is "Paid"
      When the partner refunds the payment with attachment.fileData "<value>"
      Then the call is refused because of "attachment.fileData"

      Examples:
        | value      |
        | nothing    |
        | no base64! |

  @clause:payment.refund.attachment-type
  Rule: A refund's attachment has a file type

    @needs:control
    Scenario: attachment.fileType as "nothing" is refused
      Given a payment that is "Paid"
      When the partner refunds the payment with attachment.fileType "nothing"
      Then the call is refused because of "attachment.fileType"

  @clause:payment.refund.attachment-pdf
  Rule: A refund's attachment should be a PDF

    @needs:control
    Scenario: attachment.fileType as "text/plain" is accepted with an advice
      Given a payment that is "Paid"
      When the partner refunds the payment with attachment.fileType "text/plain"
      Then the call is accepted with an advice about "attachment.fileType"

    @needs:control
    Scenario: A strict integration refuses attachment.fileType as "text/plain"
      Given a strict integration
      And a payment that is "Paid"
      When the partner refunds the payment with attachment.fileType "text/plain"
      Then the call is refused because of "attachment.fileType"

  @clause:payment.refund.attachment
  Rule: A refund may come without an attachment

    @needs:control
    Scenario Outline: attachment as "<value>" needs no advice
      Given a payment that is "Paid"
      When the partner refunds the payment with attachment "<value>"
      Then the call is accepted without advice

      Examples:
        | value   |
        | nothing |
        | null    |

  @clause:payment.refund.machine
  Rule: A refund is Completed after one banking day, or Failed

    @needs:control
    Scenario Outline: <event> of an accepted refund
      Given a refund that is "Accepted"
      When "<event>" happens to the refund
      Then the refund is "<to>"

      Examples:
        | event    | to        |
        | complete | Completed |
        | fail     | Failed    |

    @needs:control
    Scenario Outline: No <event> of a <from> refund
      Given a refund that is "<from>"
      When "<event>" is tried on the refund
      Then the move is refused
      And the refund is "<from>"

      Examples:
        | from      | event    |
        | Completed | fail     |
        | Completed | complete |
        | Failed    | complete |

    @needs:control
    Scenario: By time
      Given a refund that is "Accepted"
      When 2 days pass
      Then the refund is "Completed"

    @needs:control
    Scenario Outline: Nothing is completed on a <day>
      Given the clock starts at "2026-03-06T20:00:00Z"
      And a refund that is "Accepted"
      When the clock reaches "<moment>"
      Then the refund is "<status>"

      Examples:
        | day      | moment               | status    |
        | Saturday | 2026-03-08T07:59:00Z | Accepted  |
        | Sunday   | 2026-03-09T06:59:00Z | Accepted  |

    @needs:control
    Scenario Outline: Banks and <day>
      Given the clock starts at "<start>"
      And a refund that is "Accepted"
      When the clock reaches "<moment>"
      Then the refund is "<status>"

      Examples:
        | day                                  | start                | moment               | status    |
        | an ordinary Monday                   | 2026-03-06T20:00:00Z | 2026-03-09T20:01:00Z | Completed |
        | New Year's Day                       | 2026-12-31T20:00:00Z | 2027-01-02T07:59:00Z | Accepted  |
        | the third Monday of January          | 2027-01-15T20:00:00Z | 2027-01-19T07:59:00Z | Accepted  |
        | the third Monday of February         | 2027-02-12T20:00:00Z | 2027-02-16T07:59:00Z | Accepted  |
        | the last Monday of May               | 2026-05-22T20:00:00Z | 2026-05-26T06:59:00Z | Accepted  |
        | Juneteenth                           | 2026-06-18T20:00:00Z | 2026-06-20T06:59:00Z | Accepted  |
        | Independence Day                     | 2028-07-03T20:00:00Z | 2028-07-05T06:59:00Z | Accepted  |
        | the Monday after a holiday on Sunday | 2027-07-02T20:00:00Z | 2027-07-06T06:59:00Z | Accepted  |
        | the Friday before one on Saturday    | 2026-07-02T20:00:00Z | 2026-07-03T20:01:00Z | Completed |
        | the first Monday of September        | 2026-09-04T20:00:00Z | 2026-09-08T06:59:00Z | Accepted  |
        | the second Monday of October         | 2026-10-09T20:00:00Z | 2026-10-13T06:59:00Z | Accepted  |
        | Veterans Day                         | 2026-11-10T20:00:00Z | 2026-11-12T07:59:00Z | Accepted  |
        | the fourth Thursday of November      | 2026-11-25T20:00:00Z | 2026-11-27T07:59:00Z | Accepted  |
        | Christmas                            | 2026-12-24T20:00:00Z | 2026-12-26T07:59:00Z | Accepted  |
        | summer time, before it ends          | 2026-10-30T20:00:00Z | 2026-11-02T20:59:00Z | Accepted  |
        | summer time, until it ends           | 2026-11-01T08:59:59Z | 2026-11-02T09:59:00Z | Accepted  |
        | summer time, when it ends            | 2026-11-01T09:00:00Z | 2026-11-02T09:00:30Z | Completed |
        | summer time, before it begins        | 2026-03-06T20:00:00Z | 2026-03-09T19:01:00Z | Completed |
        | summer time, when it begins          | 2026-03-08T10:00:00Z | 2026-03-09T09:59:00Z | Accepted  |

    @needs:control @choice:rate-limit=none
    Scenario: A refund goes on when the sandbox goes back
      Given a refund that is "Accepted"
      And the sandbox is saved
      And "fail" happens to the refund
      And the sandbox goes back to what was saved
      When 2 days pass
      Then the refund is "Completed"

    @needs:control @choice:rate-limit=none
    Scenario: What is left to be given back is the same when the sandbox goes back
      Given a refund that is "Accepted"
      And the sandbox is saved in a file
      And the partner refunds the payment with amount "1000"
      And 2 days pass
      And the partner asks for the payment's details
      When the partner refunds the payment with amount "5000"
      Then the service refuses it as invalid
      And the sandbox goes back and the same is done again

    @needs:control @choice:payment-timing=five-seconds
    Scenario Outline: What becomes of a refund to a payer at the bank "<bank>"
      Given a company
      And a registered payer at the bank "<bank>"
      And a payment request
      And "approve" happens to the payment
      And 3 minutes pass
      When the partner refunds the payment
      And 5 days pass
      Then the refund is "<status>"

      Examples:
        | bank                     | status    |
        | good                     | Completed |
        | unauthorised-late-return | Failed    |

  @clause:payment.refund.status-stays
  Rule: A refund leaves the payment Paid

    @needs:control
    Scenario: A full refund
      Given a payment that is "Paid"
      When the partner refunds the payment with amount "5000"
      Then the payment is "Paid"

  @clause:payment.refund.notice
  Rule: The payer is told of a refund

    @needs:control
    Scenario: By text message
      Given a payment that is "Paid"
      When the partner refunds the payment
      Then the message "refund-notice" goes out by sms to "+12025550123"

    @needs:control
    Scenario: The company is told of a refund that did not arrive
      Given a refund that is "Accepted"
      When "fail" happens to the refund
      Then the message "refund-failed" goes out by email to "office@hillside-fitness.example.com"

    @needs:control
    Scenario: What the payer is told
      Given a payment that is "Paid"
      When the partner refunds the payment with amount "1234"
      Then the message "refund-notice" gives the amount as "$12.34"
      And the message "refund-notice" gives the company as "Hillside Fitness"

    @needs:control
    Scenario: What the company is told
      Given a payment that is "Paid"
      And the partner refunds the payment with amount "1234"
      When "fail" happens to the refund
      Then the message "refund-failed" gives the amount as "$12.34"
      And the message "refund-failed" gives the company as "Hillside Fitness"
      And the message "refund-failed" holds "reason"
