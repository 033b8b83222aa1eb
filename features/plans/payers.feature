@area:plans
Feature: A plan is read and has payers

  @clause:plan.read @surface:provisional
  Rule: A plan is read with its terms and its payers

    @choice:null-or-absent=null
    Scenario: A new plan
      Given a company
      And a plan
      When the partner reads the plan
      Then the answer's status is "Draft"
      And the answer's amount is "5000"
      And the answer's intervalUnit is "Month"
      And the answer's startDate is "2030-01-31"
      And the answer's nextDueDate is null

  @clause:plan.unknown @surface:provisional
  Rule: A plan that the integration does not have is unknown

    Scenario: No such plan
      Given a company
      And a payer
      And a plan
      And the partner reads the plan
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

    @needs:fresh @choice:list-order=creation
    Scenario: Two plans
      Given a company
      And a plan
      And another plan with name "Second"
      When the partner lists the plans
      Then the answer lists 2 plans
      And the answer's plans[0].paymentPlanId is "the plan's id"

    @needs:fresh
    Scenario: The plans of one company
      Given a company
      And another company
      And a plan
      When the partner lists the plans with companyId "the other company's id"
      Then the answer lists 0 plans
      And the call is accepted without advice

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

    @needs:control
    Scenario Outline: The payer is told how often: every <value> <unit>
      Given a company
      And a payer
      And a plan that is "Draft" with:
        | intervalValue | <value> |
        | intervalUnit  | <unit>  |
      When the partner adds the payer to the plan
      Then the message "consent-request" gives the interval as "<words>"

      Examples:
        | value | unit    | words            |
        | 1     | Month   | every month      |
        | 2     | Week    | every 2 weeks    |
        | 3     | Quarter | every 3 quarters |

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

    @needs:control
    Scenario: A payer who has declined counts no more
      Given a plan that is "Active"
      And the partner declines the consent
      When the partner reads the plan
      Then the answer's payers is "0"
      And the answer's acceptedPayers is "0"

    @needs:control
    Scenario: A payer who has accepted counts
      Given a plan that is "Active"
      When the partner reads the plan
      Then the answer's payers is "1"
      And the answer's acceptedPayers is "1"

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

    @needs:control @choice:error-body=problem-details
    Scenario: A uuid of zeros alone is a default that was never set
      Given the clock starts at "2026-05-06T07:08:09Z"
      And a company
      And a plan
      When the partner adds the payer to the plan with registrationId "00000000-0000-0000-0000-000000000000"
      Then the service refuses it as invalid
      And the finding about "registrationId" says "never set"

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

    @needs:control
    Scenario: Whoever is not in the plan is not taken out
      Given a company
      And a registered payer
      And a plan
      When the partner takes the payer out of the plan
      Then the service refuses it as unknown

    @needs:control @choice:error-body=problem-details
    Scenario Outline: A plan that is <status> takes nobody up
      Given a plan that is "<status>"
      And another registered payer
      When the partner adds the payer to the plan with registrationId "the other payer's id"
      Then the answer has the status 400
      And the refusal speaks of "<status> and does not admit add-payer"

      Examples:
        | status    |
        | Canceled  |
        | Completed |
