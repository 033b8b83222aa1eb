@area:companies
Feature: A partner lists its companies

  @clause:company.list
  Rule: The list names every company of the integration with its id, name and reference

    @needs:fresh
    Scenario: Nothing to list
      When the partner lists the companies
      Then the answer lists 0 companies

    @needs:fresh
    Scenario: A company is listed as it was registered
      Given a company
      When the partner lists the companies
      Then the answer lists 1 companies
      And the answer's companies[0].id is "the company's id"
      And the answer's companies[0].name is "Hillside Fitness"
      And the answer's companies[0].referenceId is "the company's reference"

    @needs:fresh @choice:list-order=creation
    Scenario: Two companies in the order of their registration
      Given a company
      And another company with name "Harbor Fitness"
      When the partner lists the companies
      Then the answer lists 2 companies
      And the answer's companies[1].id is "the other company's id"

  @clause:company.list.own
  Rule: The list never names another integration's companies

    @needs:control
    Scenario: Another partner sees nothing
      Given a company
      And another partner
      When the other partner lists the companies
      Then the answer lists 0 companies
