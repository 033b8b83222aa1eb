@area:payments
Feature: A payment goes to a company

  @clause:payment.create.location-id
  Rule: A location is named by a uuid

    Scenario Outline: locationId as "<value>" is refused
      Given a company
      And a payer
      When the partner requests a payment with locationId "<value>"
      Then the call is refused because of "locationId"

      Examples:
        | value    |
        | downtown |
        | 1        |

  @clause:payment.create.location-id-known
  Rule: A location that is named is one of the integration's

    Scenario: locationId as "an unknown id" is refused
      Given a company
      And a payer
      When the partner requests a payment with locationId "an unknown id"
      Then the call is refused because of "locationId"

  @clause:payment.create.company-id
  Rule: A company is named by a uuid

    Scenario Outline: companyId as "<value>" is refused
      Given a company
      And a payer
      When the partner requests a payment with companyId "<value>"
      Then the call is refused because of "companyId"

      Examples:
        | value   |
        | loc-001 |
        | 1       |

  @clause:payment.create.company-id-known
  Rule: A company that is named is one of the integration's

    Scenario: companyId as "an unknown id" is refused
      Given a company
      And a payer
      When the partner requests a payment with companyId "an unknown id"
      Then the call is refused because of "companyId"

  @clause:payment.create.company-verified
  Rule: A payment goes to a company that is Verified

    @needs:control @choice:kyb-rehearsal=seeded
    Scenario: A company that is still Unverified
      Given an integration in environment "rehearsal"
      And a company
      And a payer
      When the partner requests a payment
      Then the call is accepted with an advice about "locationId"

  @clause:payment.create.company-reference-known
  Rule: A company's reference is one of the integration's

    Scenario: companyReferenceId as "loc-404" is refused
      Given a company
      And a payer
      When the partner requests a payment with companyReferenceId "loc-404"
      Then the call is refused because of "companyReferenceId"

  @clause:payment.create.company-same
  Rule: Location, company and reference name one company

    Scenario: companyId as "the other company's id" is refused
      Given another company
      And a company
      And a payer
      When the partner requests a payment with companyId "the other company's id"
      Then the call is refused because of "companyId"

    Scenario: companyReferenceId as "the other company's reference" is refused
      Given another company
      And a company
      And a payer
      When the partner requests a payment with companyReferenceId "the other company's reference"
      Then the call is refused because of "companyReferenceId"

    Scenario: companyId as "the company's id" is accepted
      Given another company with name "Harbor Fitness"
      And a company
      And a payer
      And the partner requests a payment with companyId "the company's id"
      When the partner asks for the payment's details
      Then the answer's recipientName is "Hillside Fitness"

    Scenario: companyReferenceId as "the company's reference" is accepted
      Given another company with name "Harbor Fitness"
      And a company
      And a payer
      And the partner requests a payment with companyReferenceId "the company's reference"
      When the partner asks for the payment's details
      Then the answer's recipientName is "Hillside Fitness"

  @clause:payment.create.company
  Rule: A payment needs a company

    @needs:fresh
    Scenario: The integration has none
      Given a payer
      When the partner requests a payment
      Then the call is refused because of "companyId"

    Scenario Outline: The company named by <member> is paid
      Given a company
      And another company with name "Harbor Fitness"
      And a payer
      And the partner requests a payment with:
        | locationId | nothing |
        | <member>   | <value> |
      When the partner asks for the payment's details
      Then the answer's recipientName is "Harbor Fitness"

      Examples:
        | member             | value                         |
        | locationId         | the other location's id       |
        | companyId          | the other company's id        |
        | companyReferenceId | the other company's reference |

    @choice:company-status-target=default-company
    Scenario: Without a name the first company is paid
      Given a company
      And another company with name "Harbor Fitness"
      And a payer
      And the partner requests a payment with locationId "nothing"
      When the partner asks for the payment's details
      Then the answer's recipientName is "Hillside Fitness"

  @clause:payment.create.company-reference
  Rule: The target company can be named by its reference

    Scenario: The reference alone
      Given another company with name "Harbor Fitness"
      And a company
      And a payer
      And the partner requests a payment with:
        | locationId         | nothing                 |
        | companyReferenceId | the company's reference |
      When the partner asks for the payment's details
      Then the answer's recipientName is "Hillside Fitness"
