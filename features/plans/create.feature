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
      And the partner makes a plan with amount "<value>"
      When the partner reads the plan
      Then the answer's amount is "<value>"

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
      And the partner makes a plan with endDate "2030-01-31"
      When the partner reads the plan
      Then the answer's endDate is "2030-01-31"

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
        | WeeK      |

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

  @clause:plan.create.company-verified @surface:provisional
  Rule: A plan collects for a company that is Verified

    @needs:control @choice:kyb-rehearsal=seeded
    Scenario: A company that is still Unverified
      Given an integration in environment "rehearsal"
      And a company
      When the partner makes a plan
      Then the call is accepted with an advice about "companyReferenceId"

    @needs:control @choice:kyb-rehearsal=seeded
    Scenario: A company that is still Unverified, named by its id
      Given an integration in environment "rehearsal"
      And a company
      When the partner makes a plan with:
        | companyId          | the company's id |
        | companyReferenceId | nothing          |
      Then the call is accepted with an advice about "companyId"

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

    @needs:fresh
    Scenario: The integration has none
      When the partner makes a plan
      Then the call is refused because of "companyId"
