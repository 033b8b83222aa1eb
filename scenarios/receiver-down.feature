Feature: The webhook receiver is down for a day
  The partner's webhook receiver is down for a day. The events keep coming until they are heard,
  and the partner catches up.

  @unless:payment-timing=slow @unless:retries=none
  @clause:partner.reference.present
  @clause:event.delivery.retry
  Scenario: The partner catches up with a day of events
    Given the gym, "Northside Gym", is a customer of the partner
    And Dana is a registered payer
    And Robin is a registered payer
    When the partner requests 50.00 from Dana for the gym
    And the partner requests 45.00 from Robin for the gym
    And the partner's webhook receiver is down
    And Dana approves 50.00
    And Robin approves 45.00
    And 1 day passes
    Then the books show 95.00
    When the partner's webhook receiver is up again
    And 1 day passes
    Then the partner has heard that Dana's 50.00 is Paid
    And the partner has heard that Robin's 45.00 is Paid
    When the partner shows what it has handed over
