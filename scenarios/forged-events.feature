Feature: Somebody forges events
  Events arrive altered, unsigned, signed with a guessed secret or an empty one, or with the
  signature of another. The partner refuses each of them and acts on none; the genuine ones that
  follow are heard.

  @unless:payment-timing=slow @unless:event-order=shuffled @unless:retries=none
  @clause:partner.webhook.altered @clause:partner.webhook.unsigned @clause:partner.webhook.wrong-secret
  @clause:partner.webhook.stale-signature @clause:partner.webhook.no-follow-up
  Scenario: Only genuine events count
    Given the gym, "Northside Gym", is a customer of the partner
    And Dana is a registered payer
    When the partner requests 50.00 from Dana for the gym
    And Dana approves 50.00
    And the next event is altered on its way
    And 5 seconds pass
    Then Dana's 50.00 is Paid
    When the partner shows what it has handed over
    And 1 minute passes
    Then the partner has heard that Dana's 50.00 is Paid
    When the partner requests 48.00 from Dana for the gym
    And Dana approves 48.00
    And the next event has one digit of its signature changed
    And 5 seconds pass
    And the partner shows what it has handed over
    And 1 minute passes
    Then the partner has heard that Dana's 48.00 is Paid
    When the partner requests 45.00 from Dana for the gym
    And Dana approves 45.00
    And the next event comes unsigned
    And 5 seconds pass
    And the partner shows what it has handed over
    And 1 minute passes
    Then the partner has heard that Dana's 45.00 is Paid
    When the partner requests 40.00 from Dana for the gym
    And Dana approves 40.00
    And the next event is signed with a guessed secret
    And 5 seconds pass
    And the partner shows what it has handed over
    And 1 minute passes
    Then the partner has heard that Dana's 40.00 is Paid
    When the partner requests 38.00 from Dana for the gym
    And Dana approves 38.00
    And the next event is signed with an empty secret
    And 5 seconds pass
    And the partner shows what it has handed over
    And 1 minute passes
    Then the partner has heard that Dana's 38.00 is Paid
    When the partner requests 35.00 from Dana for the gym
    And Dana approves 35.00
    And the next event carries the signature of another
    And 5 seconds pass
    And the partner shows what it has handed over
    And 1 minute passes
    Then the partner has heard that Dana's 35.00 is Paid
    And the books show 256.00
    When the partner shows what it has handed over
