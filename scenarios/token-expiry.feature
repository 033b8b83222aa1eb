Feature: A token ends in the middle of the story
  The access token expires overnight. Later the provider withdraws the new one
  without a warning. The member notices nothing of either.

  @unless:payment-timing=slow
  @clause:partner.token.refresh @clause:partner.token.recover
  Scenario: Neither the end of a token nor its withdrawal stops a payment
    Given the gym, "Northside Gym", is a customer of the partner
    And Dana is a registered payer
    When the partner requests 50.00 from Dana for the gym
    And 20 hours pass
    And the partner asks how Dana's 50.00 stands
    And Dana approves 50.00
    And 5 seconds pass
    Then Dana's 50.00 is Paid
    When the service withdraws the partner's access token
    And the partner requests 45.00 from Dana for the gym
    And Dana approves 45.00
    And 5 seconds pass
    Then Dana's 45.00 is Paid
    And the partner has heard that Dana's 45.00 is Paid
    And the books show 95.00
