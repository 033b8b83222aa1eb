@area:terminal
Feature: A partner registers payments of an external terminal

  @clause:card-payment.register
  Rule: A terminal's payment is registered, and the answer is empty

    @needs:control @choice:release=v0.4.11
    Scenario: A payment that succeeded
      When the partner registers a terminal payment
      Then the answer is empty
      And the terminal payment is "Succeeded"

  @clause:card-payment.amount
  Rule: A terminal's payment has an amount

    Scenario: amount as "nothing" is refused
      When the partner registers a terminal payment with amount "nothing"
      Then the call is refused because of "amount"

  @clause:card-payment.amount-range
  Rule: A terminal's payment is at least one cent

    Scenario Outline: amount as "<value>" is refused
      When the partner registers a terminal payment with amount "<value>"
      Then the call is refused because of "amount"

      Examples:
        | value |
        | 0     |
        | -1    |

    @needs:fresh @choice:release=v0.4.11
    Scenario Outline: amount as "<value>" is accepted
      Given the partner registers a terminal payment with amount "<value>"
      When the partner asks for the transaction report
      Then the answer's transactions[0].amount is "<value>"

      Examples:
        | value               |
        | 1                   |
        | 9223372036854775807 |

  @clause:card-payment.mobile-number
  Rule: A terminal's payer has a mobile number in E.164

    Scenario Outline: mobileNumber as "<value>" is refused
      When the partner registers a terminal payment with mobileNumber "<value>"
      Then the call is refused because of "mobileNumber"

      Examples:
        | value             |
        | nothing           |
        | 2025550123        |
        | +1234567890123456 |
        | +1 202            |

    @needs:control @choice:release=v0.4.11
    Scenario Outline: mobileNumber as "<value>" is accepted
      When the partner registers a terminal payment with mobileNumber "<value>"
      Then the call succeeds
      And the message "card-payment" goes out by sms to "<value>"

      Examples:
        | value         |
        | +12025550123  |
        | +442079460958 |

  @clause:card-payment.card-type
  Rule: A terminal's payment should name the card's brand

    @choice:release=v0.4.11
    Scenario: cardType as "nothing" is accepted with an advice
      When the partner registers a terminal payment with cardType "nothing"
      Then the call is accepted with an advice about "cardType"

    @needs:control
    Scenario: A strict integration refuses cardType as "nothing"
      Given a strict integration
      When the partner registers a terminal payment with cardType "nothing"
      Then the call is refused because of "cardType"

    @choice:release=v0.4.11
    Scenario Outline: cardType as "<value>" needs no advice
      When the partner registers a terminal payment with cardType "<value>"
      Then the call is accepted without advice

      Examples:
        | value      |
        | Visa       |
        | Mastercard |
        | Amex       |
        | House card |

  @clause:card-payment.transaction-status
  Rule: A terminal's payment should have one of the published statuses

    @choice:release=v0.4.11
    Scenario Outline: transactionStatus as "<value>" needs no advice
      When the partner registers a terminal payment with transactionStatus "<value>"
      Then the call is accepted without advice

      Examples:
        | value     |
        | Pending   |
        | Succeeded |
        | Failed    |
        | Cancelled |
        | Refunded  |
        | succeeded |

    @choice:release=v0.4.11
    Scenario Outline: transactionStatus as "<value>" is accepted with an advice
      When the partner registers a terminal payment with transactionStatus "<value>"
      Then the call is accepted with an advice about "transactionStatus"

      Examples:
        | value   |
        | Done    |
        | nothing |

    @needs:control
    Scenario: A strict integration refuses transactionStatus as "Done"
      Given a strict integration
      When the partner registers a terminal payment with transactionStatus "Done"
      Then the call is refused because of "transactionStatus"

    @needs:control @choice:release=v0.4.11
    Scenario: What is not known counts as Pending
      When the partner registers a terminal payment with transactionStatus "Done"
      Then the terminal payment is "Pending"

  @clause:card-payment.merchant-id
  Rule: A terminal's payment should name the merchant

    @choice:release=v0.4.11
    Scenario: merchantId as "nothing" is accepted with an advice
      When the partner registers a terminal payment with merchantId "nothing"
      Then the call is accepted with an advice about "merchantId"

    @needs:control @choice:release=v0.4.11
    Scenario: A strict integration refuses merchantId as "nothing"
      Given a strict integration
      When the partner registers a terminal payment with merchantId "nothing"
      Then the call is refused because of "merchantId"

  @clause:card-payment.merchant
  Rule: A merchant is any text; a company's id or reference ties the payment to it

    @choice:release=v0.4.11
    Scenario Outline: <merchant> as the merchant
      Given a company
      And the partner registers a terminal payment with merchantId "<merchant>"
      When the partner asks for the transaction report with companyId "the company's id"
      Then the answer lists <count> transactions

      Examples:
        | merchant                | count |
        | the company's id        | 1     |
        | the company's reference | 1     |
        | terminal 7              | 0     |

  @clause:card-payment.email
  Rule: A terminal's payer should have a valid e-mail address, or none

    @choice:release=v0.4.11
    Scenario Outline: email as "<value>" is accepted with an advice
      When the partner registers a terminal payment with email "<value>"
      Then the call is accepted with an advice about "email"

      Examples:
        | value       |
        | pat         |
        | pat@example |

    @needs:control
    Scenario: A strict integration refuses email as "pat"
      Given a strict integration
      When the partner registers a terminal payment with email "pat"
      Then the call is refused because of "email"

    @choice:release=v0.4.11
    Scenario Outline: email as "<value>" needs no advice
      When the partner registers a terminal payment with email "<value>"
      Then the call is accepted without advice

      Examples:
        | value           |
        | nothing         |
        | pat@example.com |

  @clause:card-payment.patient-reference
  Rule: A patient's reference may be left out

    @choice:release=v0.4.11
    Scenario Outline: patientReferenceNumber as "<value>" needs no advice
      When the partner registers a terminal payment with patientReferenceNumber "<value>"
      Then the call is accepted without advice

      Examples:
        | value   |
        | nothing |
        | P-77    |

    @choice:release=v0.4.11
    Scenario: Without one it is reported to its merchant
      Given a company
      And the partner registers a terminal payment with patientReferenceNumber "nothing"
      When the partner asks for the transaction report with companyId "the company's id"
      Then the answer lists 1 transactions

    @choice:release=v0.4.11
    Scenario: Without one it is not reported to others
      Given the partner registers a terminal payment with patientReferenceNumber "nothing"
      And a company
      When the partner asks for the transaction report with companyId "the company's id"
      Then the answer lists 0 transactions

  @clause:card-payment.unknown-member
  Rule: The company fields of earlier releases are refused

    Scenario: companyId as "an unknown id" is refused
      When the partner registers a terminal payment with companyId "an unknown id"
      Then the call is refused because of "companyId"

    Scenario: companyReferenceId as "loc-001" is refused
      When the partner registers a terminal payment with companyReferenceId "loc-001"
      Then the call is refused because of "companyReferenceId"

  @clause:card-payment.message
  Rule: The payer gets a text message, and an e-mail when an address was given

    @needs:control @choice:release=v0.4.11
    Scenario: Both
      When the partner registers a terminal payment
      Then the message "card-payment" goes out by sms to "+12025550123"
      And the message "card-payment" goes out by email to "pat.lindgren@example.com"
      And the message "card-payment" holds "company, amount, card, status"

    @needs:control @choice:release=v0.4.11
    Scenario: No address, no e-mail
      When the partner registers a terminal payment with email "nothing"
      Then the message "card-payment" goes out by sms to "+12025550123"
      And no message "card-payment" goes out by email

    @needs:control
    Scenario: What the message says
      Given a company
      When the partner registers a terminal payment with merchantId "the company's reference"
      Then the message "card-payment" gives the amount as "$50.00"
      And the message "card-payment" gives the company as "Hillside Fitness"
      And the message "card-payment" gives the status as "Succeeded"
      And the message "card-payment" gives the card as "Visa"

  @clause:card-payment.machine
  Rule: A terminal's payment begins in the status that is sent and goes on from there

    @needs:control @choice:release=v0.4.11
    Scenario Outline: Registered as <status>
      When the partner registers a terminal payment with transactionStatus "<status>"
      Then the terminal payment is "<status>"

      Examples:
        | status    |
        | Pending   |
        | Succeeded |
        | Failed    |
        | Cancelled |
        | Refunded  |

    @needs:control @choice:release=v0.4.11
    Scenario Outline: <event> of a <from> payment
      Given a terminal payment that is "<from>"
      When "<event>" happens to the terminal payment
      Then the terminal payment is "<to>"

      Examples:
        | from      | event   | to        |
        | Pending   | succeed | Succeeded |
        | Pending   | fail    | Failed    |
        | Pending   | cancel  | Cancelled |
        | Succeeded | refund  | Refunded  |

    @needs:control @choice:release=v0.4.11
    Scenario Outline: No <event> of a <from> payment
      Given a terminal payment that is "<from>"
      When "<event>" is tried on the terminal payment
      Then the move is refused
      And the terminal payment is "<from>"

      Examples:
        | from      | event   |
        | Pending   | refund  |
        | Succeeded | cancel  |
        | Failed    | succeed |
        | Cancelled | succeed |
        | Refunded  | refund  |

    @needs:control @choice:release=v0.4.11 @choice:rate-limit=none
    Scenario: A terminal payment is there when the sandbox goes back
      Given a terminal payment that is "Pending"
      And the sandbox is saved
      And "fail" happens to the terminal payment
      And the sandbox goes back to what was saved
      When "succeed" happens to the terminal payment
      Then the terminal payment is "Succeeded"

    @needs:control @choice:release=v0.4.11 @choice:rate-limit=none
    Scenario: What becomes of a terminal payment is the same when the sandbox goes back
      Given a terminal payment that is "Pending"
      And the sandbox is saved in a file
      And "succeed" happens to the terminal payment
      And the partner asks for the transaction report
      And "refund" happens to the terminal payment
      When the partner asks for the transaction report
      Then the answer lists 1 transactions
      And the sandbox goes back and the same is done again

    @needs:control @choice:release=v0.4.11
    Scenario: What the sandbox shows of terminal payments
      Given a terminal payment that is "Pending"
      When "succeed" happens to the terminal payment
      Then the sandbox shows "the terminal payments" as:
        """
        {"entities":[{"kind":"card-payment","id":"{id}","machine":"card-payment","status":"Succeeded","summary":"$50.00 on a terminal, from +12025550123","amount":5000,"created":"2026-03-02T17:00:00Z","changed":"2026-03-02T17:00:00Z","relations":[],
        "console":"/console/{integration}/entities/{id}"}],"next":null,"searched":1,"total":1,"kinds":[{"kind":"company","total":0},
        {"kind":"location","total":0},{"kind":"registration","total":0},{"kind":"payment","total":0},{"kind":"card-authorisation","total":0},
        {"kind":"saved-card","total":0},{"kind":"refund","total":0},{"kind":"debit-authorisation","total":0},{"kind":"plan","total":0},
        {"kind":"consent","total":0},{"kind":"card-payment","total":1}]}
        """

  @clause:card-payment.company-id
  Rule: Release v0.4.9 names a terminal's company by a uuid

    @needs:control
    Scenario: companyId as "loc-001" is refused
      Given the service's choice of "release" is "v0.4.9"
      When the partner registers a terminal payment with companyId "loc-001"
      Then the call is refused because of "companyId"

  @clause:card-payment.company-id-known
  Rule: Release v0.4.9 takes companies of the integration

    @needs:control @choice:unknown-body-ids=400
    Scenario: companyId as "an unknown id" is refused
      Given the service's choice of "release" is "v0.4.9"
      When the partner registers a terminal payment with companyId "an unknown id"
      Then the call is refused because of "companyId"

  @clause:card-payment.company-reference-known
  Rule: Release v0.4.9 takes references of the integration

    @needs:control @choice:unknown-body-ids=400
    Scenario: companyReferenceId as "loc-404" is refused
      Given the service's choice of "release" is "v0.4.9"
      When the partner registers a terminal payment with companyReferenceId "loc-404"
      Then the call is refused because of "companyReferenceId"

  @clause:card-payment.company-same
  Rule: Release v0.4.9 takes one company

    @needs:control
    Scenario: Two companies
      Given the service's choice of "release" is "v0.4.9"
      And a company
      And another company
      When the partner registers a terminal payment with:
        | merchantId         | nothing                       |
        | companyId          | the company's id              |
        | companyReferenceId | the other company's reference |
      Then the call is refused because of "companyReferenceId"

  @clause:card-payment.company
  Rule: Release v0.4.9 needs a company where no merchant is known

    @needs:control
    Scenario: Neither
      Given the service's choice of "release" is "v0.4.9"
      When the partner registers a terminal payment with merchantId "nothing"
      Then the call is refused because of "companyId"
