Feature: An outage
  The service stumbles, asks for patience, and is out for minutes. The partner tries again, not too
  often and not for ever, and in the end the member has been asked once for each payment.

  @outage
  @unless:payment-timing=slow
  @clause:partner.retry.pause @clause:partner.retry.backoff
  @clause:partner.retry.after @clause:partner.retry.bounded @clause:partner.idempotency.same-key
  Scenario: The gym's requests survive an outage
    Given the gym, "Northside Gym", is a customer of the partner
    And Dana is a registered payer
    When the service fails the next 3 requests for a payment
    And the partner requests 50.00 from Dana for the gym
    Then Dana was asked for 50.00 only once
    When the service is busy for 20 seconds at the next request for a payment
    And the partner requests 45.00 from Dana for the gym
    Then Dana was asked for 45.00 only once
    When the service is out
    And the partner requests 40.00 from Dana for the gym
    And 2 minutes pass
    And the service is back
    And 10 minutes pass
    Then the partner has requested 40.00 from Dana
    And Dana was asked for 40.00 only once
    When Dana approves 50.00
    And Dana approves 45.00
    And Dana approves 40.00
    And 5 seconds pass
    Then the books show 135.00
