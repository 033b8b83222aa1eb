@area:debit
Feature: A partner asks payers to authorise debits

  @clause:user.debit-auth.request
  Rule: A request for a debit authorisation is sent to the payer and answered with nothing

    @needs:control
    Scenario: The payer is asked
      Given a company
      And a payer
      When the partner asks for a debit authorisation
      Then the answer is empty
      And the message "debit-authorisation-request" goes out by sms to "+12025550123"
      And the debit authorisation is "Pending"

    @needs:control
    Scenario: Nobody can do with it what it does not admit
      Given a company
      And a registered payer
      And the partner asks for a debit authorisation
      And the debit authorisation is "Pending"
      When the tester calls "POST /debit-authorisations/{debit authorisation}/explode" with "{}"
      Then the service refuses it as invalid
      And the refusal names exactly:
        | path:event |

    @needs:control @choice:account-mask=asterisk
    Scenario: The payer reads who may debit how much
      Given a company
      And a registered payer
      And the partner asks for a debit authorisation with limit "12345"
      When the payer opens the link of the message "debit-authorisation-request"
      Then the page says "Let Hillside Fitness debit your account"
      And the page's limit is "$123.45"
      And the page's account-mask is "*1111"
      And the page is, with all that it can send:
        """
        Let Hillside Fitness debit your account Hillside Fitness asks to debit your bank account without asking you each time. Limit of
        one debit $123.45 Bank account *1111 [form action=/pages/{opaque}/debit/{opaque}] [input type=hidden name=csrf value={opaque}]
        [button name=answer value=accept] Accept [button name=answer value=decline] Decline
        """

    @needs:control
    Scenario Outline: The payer answers on the page: <answer>
      Given a company
      And a registered payer
      And the partner asks for a debit authorisation
      And the payer opens the link of the message "debit-authorisation-request"
      When the payer answers the page with:
        | answer | <answer> |
      Then the debit authorisation is "<status>"
      And the page's status is "<status>"
      And the page says "<told>"

      Examples:
        | answer  | status   | told                                       |
        | accept  | Accepted | You can withdraw this at any time          |
        | decline | Declined | The company will ask you before each payment. |

    @needs:control @choice:account-mask=asterisk
    Scenario: The payer takes it back on the page
      Given a company
      And a registered payer
      And a debit authorisation up to 10000
      And the payer opens the link of the message "debit-authorisation-request"
      When the payer answers the page with:
        | answer | withdraw |
      Then the debit authorisation is "Disabled"
      And the page says "This authorisation has ended"
      And the page is, with all that it can send:
        """
        This authorisation has ended Disabled It was switched off or replaced by a newer one. The company will ask you before each
        payment. Company Hillside Fitness Limit of one debit $100.00 Bank account *1111
        """

    @needs:control
    Scenario Outline: An answer that is none: <answer>
      Given a company
      And a registered payer
      And the partner asks for a debit authorisation
      And the payer opens the link of the message "debit-authorisation-request"
      When the payer answers the page with:
        | answer | <answer> |
      Then the page answers with the status <status>
      And the debit authorisation is "Pending"

      Examples:
        | answer   | status |
        | withdraw | 409    |
        | perhaps  | 400    |

    @needs:control
    Scenario: What the message says
      Given a company
      And a payer
      When the partner asks for a debit authorisation with limit "12345"
      Then the message "debit-authorisation-request" gives the company as "Hillside Fitness"
      And the message "debit-authorisation-request" gives the amount as "$123.45"
      And the message "debit-authorisation-request" goes out by email to "pat.lindgren@example.com"

  @clause:user.debit-auth.company-id
  Rule: A debit authorisation names the company

    Scenario: companyId as "nothing" is refused
      Given a company
      And a payer
      When the partner asks for a debit authorisation with companyId "nothing"
      Then the call is refused because of "companyId"

  @clause:user.debit-auth.company-id-form
  Rule: The company of a debit authorisation is named by a uuid

    Scenario Outline: companyId as "<value>" is refused
      Given a company
      And a payer
      When the partner asks for a debit authorisation with companyId "<value>"
      Then the call is refused because of "companyId"

      Examples:
        | value   |
        | loc-001 |
        | 42      |

  @clause:user.debit-auth.company-id-known
  Rule: The company of a debit authorisation is one of the integration's

    Scenario: companyId as "an unknown id" is refused
      Given a company
      And a payer
      When the partner asks for a debit authorisation with companyId "an unknown id"
      Then the call is refused because of "companyId"

  @clause:user.debit-auth.limit
  Rule: A debit authorisation has a limit

    Scenario: limit as "nothing" is refused
      Given a company
      And a payer
      When the partner asks for a debit authorisation with limit "nothing"
      Then the call is refused because of "limit"

  @clause:user.debit-auth.limit-range
  Rule: A debit authorisation's limit is not negative

    Scenario: limit as "-1" is refused
      Given a company
      And a payer
      When the partner asks for a debit authorisation with limit "-1"
      Then the call is refused because of "limit"

    @needs:control @choice:debit-auth-read=on
    Scenario Outline: limit as "<value>" is accepted
      Given a company
      And a registered payer
      And the partner asks for a debit authorisation with limit "<value>"
      And "accept" happens to the debit authorisation
      When the partner reads the debit authorisation
      Then the answer's limit is "<value>"

      Examples:
        | value |
        | 0     |
        | 1     |
        | 10000 |

  @clause:user.debit-auth.unknown-payer
  Rule: A debit authorisation of a payer that the integration does not have is unknown

    @choice:debit-auth-read=on
    Scenario Outline: <deed>
      Given a company
      When the partner <deed>
      Then the service refuses it as unknown

      Examples:
        | deed                                              |
        | asks an unknown payer for a debit authorisation   |
        | reads the debit authorisation of an unknown payer |

  @clause:user.debit-auth.enabled
  Rule: A debit authorisation that is not enabled is switched off

    @needs:control
    Scenario Outline: enabled as "<value>"
      Given a company
      And a registered payer
      And a debit authorisation up to 10000
      When the partner asks for a debit authorisation with enabled "<value>"
      Then the debit authorisation is "Disabled"

      Examples:
        | value   |
        | false   |
        | nothing |

    @needs:control @choice:debit-auth-read=on @choice:rate-limit=none
    Scenario: An authorisation is there when the sandbox goes back
      Given a company
      And a registered payer
      And a debit authorisation up to 10000
      And the sandbox is saved
      And the sandbox goes back to what was saved
      When the partner reads the debit authorisation
      Then the answer's limit is "10000"
      And the answer's enabled is "true"

    @needs:control @choice:debit-auth-read=on @choice:rate-limit=none @choice:auto-debit=approve
    Scenario: What an authorisation admits is the same when the sandbox goes back
      Given a company
      And a registered payer
      And a debit authorisation up to 10000
      And the sandbox is saved in a file
      And the partner requests a payment with amount "6000"
      When "disable" happens to the debit authorisation
      Then the payment is "Processing"
      And the sandbox goes back and the same is done again

  @clause:user.debit-auth.read @surface:docs
  Rule: A debit authorisation is read with its limit

    Scenario: Before the payer has answered
      Given a company
      And a payer
      And the partner asks for a debit authorisation
      When the partner reads the debit authorisation
      Then the answer's enabled is "false"
      And the answer's limit is "0"

    @needs:control
    Scenario: After the payer has accepted
      Given a company
      And a registered payer
      And a debit authorisation up to 12500
      When the partner reads the debit authorisation
      Then the answer's enabled is "true"
      And the answer's limit is "12500"

  @clause:user.debit-auth.read-company-id @surface:docs
  Rule: A debit authorisation is read for one company

    @choice:debit-auth-read=on
    Scenario Outline: CompanyId as "<value>" is refused
      Given a company
      And a payer
      When the partner reads the debit authorisation with CompanyId "<value>"
      Then the call is refused because of "query:CompanyId"

      Examples:
        | value   |
        | nothing |
        | loc-001 |

  @clause:user.debit-auth.machine
  Rule: A payer accepts or declines a debit authorisation, and either side can end it

    @needs:control
    Scenario Outline: <event> of a <from> authorisation
      Given a debit authorisation that is "<from>"
      When "<event>" happens to the debit authorisation
      Then the debit authorisation is "<to>"

      Examples:
        | from     | event   | to       |
        | Pending  | accept  | Accepted |
        | Pending  | decline | Declined |
        | Pending  | disable | Disabled |
        | Accepted | disable | Disabled |

    @needs:control
    Scenario Outline: No <event> of a <from> authorisation
      Given a debit authorisation that is "<from>"
      When "<event>" is tried on the debit authorisation
      Then the move is refused
      And the debit authorisation is "<from>"

      Examples:
        | from     | event   |
        | Accepted | accept  |
        | Accepted | decline |
        | Declined | accept  |
        | Declined | disable |
        | Disabled | accept  |
        | Disabled | decline |

    @needs:control
    Scenario: What the sandbox shows of debit authorisations
      Given a company
      And a registered payer
      When the partner asks for a debit authorisation
      Then the sandbox shows "the debit authorisations" as:
        """
        {"entities":[{"kind":"debit-authorisation","id":"{id}","machine":"debit-authorisation","status":"Pending","summary":"Hillside Fitness may take up to $100.00 from pat.lindgren@example.com","amount":10000,"created":"2026-03-02T17:00:00Z","changed":"2026-03-02T17:00:00Z","relations":[{"relation":"company","kind":"company","id":"{company}"},
        {"relation":"payer","kind":"registration","id":"{payer}"}],"console":"/console/{integration}/entities/{id}"}],
        "next":null,"searched":1,"total":1,"kinds":[{"kind":"company","total":1},{"kind":"location","total":1},{"kind":"registration","total":1},
        {"kind":"payment","total":0},{"kind":"card-authorisation","total":0},{"kind":"saved-card","total":0},{"kind":"refund","total":0},
        {"kind":"debit-authorisation","total":1},{"kind":"plan","total":0},{"kind":"consent","total":0},{"kind":"card-payment","total":0}]}
        """

  @clause:user.debit-auth.replaced
  Rule: An accepted authorisation replaces the one before it

    @needs:control @choice:debit-auth-read=on
    Scenario: The newer limit counts
      Given a company
      And a registered payer
      And a debit authorisation up to 1000
      And a debit authorisation up to 9000
      When the partner reads the debit authorisation
      Then the answer's limit is "9000"

    @needs:control @choice:debit-auth-read=on
    Scenario: A request that waits changes nothing
      Given a company
      And a registered payer
      And a debit authorisation up to 1000
      And the partner asks for a debit authorisation with limit "9000"
      When the partner reads the debit authorisation
      Then the answer's limit is "1000"

  @clause:payment.create.auto-debit
  Rule: A payment within the authorised limit is collected without asking the payer

    @needs:control
    Scenario Outline: <amount> cents under a limit of 5000
      Given a company
      And a registered payer
      And a debit authorisation up to 5000
      When the partner requests a payment with amount "<amount>"
      Then the payment is "<status>"

      Examples:
        | amount | status     |
        | 1      | Processing |
        | 5000   | Processing |
        | 5001   | Pending    |

    @needs:control
    Scenario: Another company is not covered
      Given a company
      And another company
      And a registered payer
      And a debit authorisation up to 5000
      When the partner requests a payment with:
        | locationId | nothing                |
        | companyId  | the other company's id |
      Then the payment is "Pending"
