Feature: The webhook secret changes
  The partner and the provider change the secret that events are signed with. No
  event is lost on the way.

  @unless:payment-timing=slow @unless:event-order=shuffled
  @clause:partner.webhook.rotation
  Scenario: Events are heard before and after the change
    Given the gym, "Northside Gym", is a customer of the partner
    And Dana is a registered payer
    When the partner requests 50.00 from Dana for the gym
    And Dana approves 50.00
    And 5 seconds pass
    Then the partner has heard that Dana's 50.00 is Paid
    When the partner accepts a new webhook secret beside the old one
    And the provider signs with the new webhook secret
    And the partner requests 45.00 from Dana for the gym
    And Dana approves 45.00
    And 5 seconds pass
    Then the partner has heard that Dana's 45.00 is Paid
    And the books show 95.00
