Feature: A monthly plan
  Two members agree to pay for a membership every month. The plan collects by itself,
  rests in a pause, and goes on for the one who has not left.

  @unless:payment-timing=slow
  @clause:partner.company.verified-first @clause:partner.token.refresh
  @clause:plan.occurrence @clause:consent.decline.accepted
  Scenario: Three months of membership
    Given the gym, "Northside Gym", is a customer of the partner
    And Dana is a registered payer
    And Robin is a registered payer
    When the partner asks Dana to authorise debits for the gym up to 60.00
    And Dana authorises the debits of the gym
    And the partner asks Robin to authorise debits for the gym up to 60.00
    And Robin authorises the debits of the gym
    And the partner makes the plan "Gold" for the gym: 49.00 every month
    And the partner adds Dana to the plan "Gold"
    And the partner adds Robin to the plan "Gold"
    And Dana consents to the plan "Gold"
    And Robin consents to the plan "Gold"
    And the partner lists the consents of the plan "Gold"
    And the partner activates the plan "Gold"
    Then the plan "Gold" is Active
    When 2 days pass
    Then Dana has paid 49.00 once
    And the books show 98.00
    When the partner pauses the plan "Gold"
    And 5 weeks pass
    Then the books show 98.00
    When the partner activates the plan "Gold"
    And Robin revokes the consent to the plan "Gold"
    And 4 weeks pass
    Then Dana has paid 49.00 twice
    And Robin has paid 49.00 once
    And the books show 147.00
    When the partner cancels the plan "Gold"
    Then the plan "Gold" is Canceled
