Feature: The report of half a year
  Two members take a class every week. After half a year the partner reads the
  report of the studio to its last page.

  @clause:partner.paging.complete @clause:partner.token.refresh
  Scenario: The report has more than one page
    Given the studio, "Riverside Yoga", is a customer of the partner
    And Dana is a registered payer
    And Robin is a registered payer
    When the partner asks Dana to authorise debits for the studio up to 20.00
    And Dana authorises the debits of the studio
    And the partner asks Robin to authorise debits for the studio up to 20.00
    And Robin authorises the debits of the studio
    And the partner makes the plan "Class" for the studio: 15.00 every week
    And the partner adds Dana to the plan "Class"
    And the partner adds Robin to the plan "Class"
    And Dana consents to the plan "Class"
    And Robin consents to the plan "Class"
    And the partner activates the plan "Class"
    And 26 weeks pass
    Then Dana has paid 15.00 26 times
    And the books show 780.00
    When the partner takes Robin out of the plan "Class"
    And the partner reads the report of the studio
    Then the report has told the partner of 52 payments
