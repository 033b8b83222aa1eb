@area:plans
Feature: A partner collects recurring payments

  @clause:plan.create @surface:provisional
  Rule: A plan is made in Draft and answers its id

    Scenario: A monthly plan
      Given a company
      When the partner makes a plan
      Then the answer's paymentPlanId is an id
      And the plan is "Draft"

  @clause:plan.create.amount @surface:provisional
  Rule: A plan has an amount of at least one cent

    Scenario Outline: amount as "<value>" is refused
      Given a company
      When the partner makes a plan with amount "<value>"
      Then the call is refused because of "amount"

      Examples:
        | value   |
        | nothing |
        | 0       |
        | -1      |

    Scenario Outline: amount as "<value>" is refused
      Given a company
      And a payer
      When the partner sets up a recurring payment with amount "<value>"
      Then the call is refused because of "amount"

      Examples:
        | value   |
        | nothing |
        | 0       |

    Scenario Outline: amount as "<value>" is accepted
      Given a company
      When the partner makes a plan with amount "<value>"
      Then the call succeeds

      Examples:
        | value |
        | 1     |
        | 5000  |

  @clause:plan.create.start-date @surface:provisional
  Rule: A plan starts on a day of the calendar

    Scenario Outline: startDate as "<value>" is refused
      Given a company
      When the partner makes a plan with startDate "<value>"
      Then the call is refused because of "startDate"

      Examples:
        | value      |
        | nothing    |
        | 2030-02-30 |
        | 31.01.2030 |
        | soon       |

    Scenario Outline: startDate as "<value>" is refused
      Given a company
      And a payer
      When the partner sets up a recurring payment with startDate "<value>"
      Then the call is refused because of "startDate"

      Examples:
        | value      |
        | nothing    |
        | 2030-02-30 |

  @clause:plan.create.start-date-past @surface:provisional
  Rule: A plan should start today or later

    Scenario: startDate as "yesterday" is accepted with an advice
      Given a company
      When the partner makes a plan with startDate "yesterday"
      Then the call is accepted with an advice about "startDate"

    @needs:control
    Scenario: A strict integration refuses startDate as "yesterday"
      Given a strict integration
      And a company
      When the partner makes a plan with startDate "yesterday"
      Then the call is refused because of "startDate"

    Scenario Outline: startDate as "<value>" needs no advice
      Given a company
      When the partner makes a plan with startDate "<value>"
      Then the call is accepted without advice

      Examples:
        | value    |
        | today    |
        | tomorrow |

  @clause:plan.create.end-date @surface:provisional
  Rule: A plan ends on a day of the calendar

    Scenario Outline: endDate as "<value>" is refused
      Given a company
      When the partner makes a plan with endDate "<value>"
      Then the call is refused because of "endDate"

      Examples:
        | value      |
        | 2031-02-30 |
        | later      |

    Scenario Outline: endDate as "<value>" needs no advice
      Given a company
      When the partner makes a plan with endDate "<value>"
      Then the call is accepted without advice

      Examples:
        | value      |
        | 2031-02-28 |
        | nothing    |

  @clause:plan.create.end-date-order @surface:provisional
  Rule: A plan does not end before it starts

    Scenario: endDate as "2030-01-30" is refused
      Given a company
      When the partner makes a plan with endDate "2030-01-30"
      Then the call is refused because of "endDate"

    Scenario: endDate as "2030-01-31" is accepted
      Given a company
      When the partner makes a plan with endDate "2030-01-31"
      Then the call succeeds

  @clause:plan.create.occurrences @surface:provisional
  Rule: A plan that counts its due dates has at least one

    Scenario Outline: occurrences as "<value>" is refused
      Given a company
      When the partner makes a plan with occurrences "<value>"
      Then the call is refused because of "occurrences"

      Examples:
        | value |
        | 0     |
        | -1    |

    Scenario Outline: occurrences as "<value>" needs no advice
      Given a company
      When the partner makes a plan with occurrences "<value>"
      Then the call is accepted without advice

      Examples:
        | value   |
        | 1       |
        | 12      |
        | nothing |

  @clause:plan.create.interval-value @surface:provisional
  Rule: A plan's interval is at least one unit

    Scenario Outline: intervalValue as "<value>" is refused
      Given a company
      When the partner makes a plan with intervalValue "<value>"
      Then the call is refused because of "intervalValue"

      Examples:
        | value   |
        | nothing |
        | 0       |
        | -1      |

    Scenario Outline: intervalValue as "<value>" is refused
      Given a company
      And a payer
      When the partner sets up a recurring payment with intervalValue "<value>"
      Then the call is refused because of "intervalValue"

      Examples:
        | value   |
        | nothing |
        | 0       |

  @clause:plan.create.interval-unit @surface:provisional
  Rule: A plan's interval is counted in days, weeks, months, quarters or years

    Scenario Outline: intervalUnit as "<value>" is refused
      Given a company
      When the partner makes a plan with intervalUnit "<value>"
      Then the call is refused because of "intervalUnit"

      Examples:
        | value     |
        | nothing   |
        | Fortnight |
        | Months    |

    Scenario Outline: intervalUnit as "<value>" needs no advice
      Given a company
      When the partner makes a plan with intervalUnit "<value>"
      Then the call is accepted without advice

      Examples:
        | value   |
        | Day     |
        | Week    |
        | Month   |
        | Quarter |
        | Year    |

    Scenario: intervalUnit as "Decade" is refused
      Given a company
      And a payer
      When the partner sets up a recurring payment with intervalUnit "Decade"
      Then the call is refused because of "intervalUnit"

  @clause:plan.create.fee-payer @surface:provisional
  Rule: A plan's fee is borne by the client, the partner, or whom the payer chooses

    Scenario: feePayer as "nobody" is accepted with an advice
      Given a company
      When the partner makes a plan with feePayer "nobody"
      Then the call is accepted with an advice about "feePayer"

    @needs:control
    Scenario: A strict integration refuses feePayer as "nobody"
      Given a strict integration
      And a company
      When the partner makes a plan with feePayer "nobody"
      Then the call is refused because of "feePayer"

    Scenario Outline: feePayer as "<value>" needs no advice
      Given a company
      When the partner makes a plan with feePayer "<value>"
      Then the call is accepted without advice

      Examples:
        | value   |
        | client  |
        | partner |
        | ask     |

  @clause:plan.create.company-id @surface:provisional
  Rule: A plan's company is named by a uuid

    Scenario: companyId as "loc-001" is refused
      Given a company
      When the partner makes a plan with companyId "loc-001"
      Then the call is refused because of "companyId"

  @clause:plan.create.company-id-known @surface:provisional
  Rule: A plan's company is one of the integration's

    Scenario: companyId as "an unknown id" is refused
      Given a company
      When the partner makes a plan with companyId "an unknown id"
      Then the call is refused because of "companyId"

  @clause:plan.create.company-reference-known @surface:provisional
  Rule: A plan's company reference is one of the integration's

    Scenario: companyReferenceId as "loc-404" is refused
      Given a company
      When the partner makes a plan with companyReferenceId "loc-404"
      Then the call is refused because of "companyReferenceId"

  @clause:plan.create.company-same @surface:provisional
  Rule: A plan names one company

    Scenario: Two companies
      Given a company
      And another company
      When the partner makes a plan with:
        | companyId          | the company's id              |
        | companyReferenceId | the other company's reference |
      Then the call is refused because of "companyReferenceId"

  @clause:plan.create.company @surface:provisional
  Rule: A plan needs a company

    Scenario: The integration has none
      When the partner makes a plan
      Then the call is refused because of "companyId"

  @clause:plan.read @surface:provisional
  Rule: A plan is read with its terms and its payers

    Scenario: A new plan
      Given a company
      And a plan
      When the partner reads the plan
      Then the answer's status is "Draft"
      And the answer's amount is "5000"
      And the answer's intervalUnit is "Month"
      And the answer's startDate is "2030-01-31"
      And the answer's payers is "0"
      And the answer's nextDueDate is null

  @clause:plan.unknown @surface:provisional
  Rule: A plan that the integration does not have is unknown

    Scenario: No such plan
      When the partner reads an unknown plan
      Then the service refuses it as unknown

    @needs:control
    Scenario Outline: The other partner <deed>
      Given a company
      And a payer
      And a plan
      And another partner
      When the other partner <deed>
      Then the service refuses it as unknown
      Examples:
        | deed                            |
        | reads the plan                  |
        | activates the plan              |
        | pauses the plan                 |
        | cancels the plan                |
        | adds the payer to the plan      |
        | takes the payer out of the plan |

  @clause:plan.list @surface:provisional
  Rule: The plans are listed in the order of their making

    Scenario: Two plans
      Given a company
      And a plan
      And another plan with name "Second"
      When the partner lists the plans
      Then the answer lists 2 plans
      And the answer's plans[0].paymentPlanId is "the plan's id"

    Scenario: The plans of one company
      Given a company
      And another company
      And a plan
      When the partner lists the plans with companyId "the other company's id"
      Then the answer lists 0 plans

  @clause:plan.payer.add @surface:provisional
  Rule: A payer who is added to a plan is asked for consent

    @needs:control
    Scenario: The payer is asked
      Given a company
      And a payer
      And a plan
      When the partner adds the payer to the plan
      Then the answer's consentId is an id
      And the answer's url is a web address
      And the message "consent-request" goes out by sms to "+12025550123"

  @clause:plan.payer @surface:provisional
  Rule: A plan's payer is named by registration or phone number

    Scenario: registrationId as "nothing" is refused
      Given a company
      And a payer
      And a plan
      When the partner adds the payer to the plan with registrationId "nothing"
      Then the call is refused because of "registrationId"

    Scenario: A phone number alone
      Given a company
      And a payer
      And a plan
      When the partner adds the payer to the plan with:
        | registrationId | nothing      |
        | phoneNumber    | +12025550188 |
      Then the answer's registrationId is an id

    Scenario: A recurring payment without a payer
      Given a company
      When the partner sets up a recurring payment with registrationUserId "nothing"
      Then the call is refused because of "registrationUserId"

  @clause:plan.payer.registration @surface:provisional
  Rule: A plan's payer is named by a uuid

    Scenario: registrationId as "pat" is refused
      Given a company
      And a payer
      And a plan
      When the partner adds the payer to the plan with registrationId "pat"
      Then the call is refused because of "registrationId"

    Scenario: registrationUserId as "pat" is refused
      Given a company
      And a payer
      When the partner sets up a recurring payment with registrationUserId "pat"
      Then the call is refused because of "registrationUserId"

  @clause:plan.payer.registration-known @surface:provisional
  Rule: A plan's payer is one of the integration's

    Scenario: registrationId as "an unknown id" is refused
      Given a company
      And a payer
      And a plan
      When the partner adds the payer to the plan with registrationId "an unknown id"
      Then the call is refused because of "registrationId"

    Scenario: registrationUserId as "an unknown id" is refused
      Given a company
      And a payer
      When the partner sets up a recurring payment with registrationUserId "an unknown id"
      Then the call is refused because of "registrationUserId"

  @clause:plan.payer.phone @surface:provisional
  Rule: A plan payer's phone number is valid

    Scenario: A broken number
      Given a company
      And a plan
      When the partner adds the payer to the plan with:
        | registrationId | nothing |
        | phoneNumber    | 12      |
      Then the call is refused because of "phoneNumber"

  @clause:plan.payer.once @surface:provisional
  Rule: A payer who has been asked should not be asked again

    Scenario: The consent that exists is answered
      Given a company
      And a payer
      And a plan
      And the partner adds the payer to the plan
      When the partner adds the payer to the plan
      Then the call is accepted with an advice about "registrationId"
      And the answer's consentId is "the consent's id"

  @clause:plan.payer.remove @surface:provisional
  Rule: A payer who is taken out of a plan has no consent any more

    @needs:control
    Scenario: A pending consent
      Given a consent that is "Pending"
      When the partner takes the payer out of the plan
      Then the answer is empty
      And the consent is "Declined"

    @needs:control
    Scenario: An accepted consent
      Given a consent that is "Accepted"
      When the partner takes the payer out of the plan
      Then the consent is "Revoked"

  @clause:plan.activate.consent @surface:provisional
  Rule: A plan is activated when a payer has accepted

    @needs:control
    Scenario: Nobody has accepted
      Given a consent that is "Pending"
      When the partner activates the plan
      Then the call is refused because of "path:planId"

    @needs:control
    Scenario: A payer has accepted
      Given a consent that is "Accepted"
      When the partner activates the plan
      Then the answer is empty
      And the plan is "Active"

  @clause:plan.status.machine @surface:provisional
  Rule: A plan moves along the published states

    @needs:control
    Scenario Outline: <event> of a <from> plan
      Given a plan that is "<from>"
      When "<event>" happens to the plan
      Then the plan is "<to>"
      Examples:
        | from   | event    | to        |
        | Draft  | activate | Active    |
        | Draft  | cancel   | Canceled  |
        | Active | draft    | Draft     |
        | Active | pause    | Paused    |
        | Active | fail     | Failed    |
        | Active | cancel   | Canceled  |
        | Active | complete | Completed |
        | Paused | activate | Active    |
        | Paused | cancel   | Canceled  |
        | Failed | activate | Active    |
        | Failed | cancel   | Canceled  |

    @needs:control
    Scenario Outline: No <event> of a <from> plan
      Given a plan that is "<from>"
      When "<event>" is tried on the plan
      Then the move is refused
      And the plan is "<from>"
      Examples:
        | from      | event    |
        | Draft     | pause    |
        | Draft     | complete |
        | Active    | activate |
        | Paused    | pause    |
        | Paused    | complete |
        | Failed    | pause    |
        | Canceled  | activate |
        | Canceled  | cancel   |
        | Completed | activate |
        | Completed | cancel   |

  @clause:plan.status.partner @surface:provisional
  Rule: A partner activates, pauses and cancels plans, but only where the state admits it

    @needs:control
    Scenario Outline: A partner who <deed> that is <from>
      Given a plan that is "<from>"
      When the partner <deed>
      Then the answer is empty
      And the plan is "<to>"
      Examples:
        | from   | deed               | to       |
        | Draft  | activates the plan | Active   |
        | Active | pauses the plan    | Paused   |
        | Paused | activates the plan | Active   |
        | Active | cancels the plan   | Canceled |

    @needs:control
    Scenario Outline: A partner who <deed> that is <from> is refused
      Given a plan that is "<from>"
      When the partner <deed>
      Then the service refuses it as invalid
      And the plan is "<from>"
      Examples:
        | from      | deed               |
        | Draft     | pauses the plan    |
        | Canceled  | activates the plan |
        | Canceled  | cancels the plan   |
        | Completed | pauses the plan    |

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

  @clause:plan.occurrence.completed @surface:provisional
  Rule: A plan is Completed when no due date is left

    @needs:control
    Scenario: One due date
      Given a plan that is "Active" with:
        | startDate   | tomorrow |
        | occurrences | 1        |
      When 2 days pass
      Then the plan is "Completed"

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
