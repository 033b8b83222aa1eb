Feature: A lost answer
  The service has made a payment request, but its answer does not arrive. The
  partner finds out what happened before anybody is asked for money again.

  @unless:payment-timing=slow
  @clause:partner.outcome.resolved @clause:partner.idempotency.same-key
  Scenario: Dana is asked once although the answer got lost
    Given the gym, "Northside Gym", is a customer of the partner
    And Dana is a registered payer
    When the answer to the next request for a payment gets lost
    And the partner requests 50.00 from Dana for the gym
    Then Dana was asked for 50.00 only once
    When Dana approves 50.00
    And 5 seconds pass
    Then Dana's 50.00 is Paid
    And the books show 50.00
