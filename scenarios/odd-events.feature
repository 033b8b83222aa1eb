Feature: Events as they come
  Events arrive oddly written, with unknown names and members, twice, in the wrong order, and even
  before the call that caused them is answered. Each of them counts once.

  @unless:payment-machine=no-late-return @unless:payment-timing=slow @unless:auto-debit=ask
  @unless:event-order=shuffled @unless:event-order=duplicated
  @clause:partner.webhook.raw-bytes @clause:partner.webhook.unknown-event @clause:partner.webhook.unknown-member
  @clause:partner.webhook.duplicate @clause:partner.webhook.parallel-duplicate @clause:partner.webhook.order
  @clause:partner.webhook.before-response
  Scenario: Odd events lead to the same result
    Given the gym, "Northside Gym", is a customer of the partner
    And Dana is a registered payer
    When the partner asks Dana to authorise debits for the gym up to 100.00
    And Dana authorises the debits of the gym
    And the next event is written in an odd way
    And the partner requests 50.00 from Dana for the gym
    And 5 seconds pass
    And the next event has members that nobody knows
    And the partner requests 49.00 from Dana for the gym
    And 5 seconds pass
    And the next event has a name that nobody knows
    And the partner requests 48.00 from Dana for the gym
    And 5 seconds pass
    And the next 2 events come twice
    And the partner requests 47.00 from Dana for the gym
    And 5 seconds pass
    And the next 2 events come twice at the same moment
    And the partner requests 46.00 from Dana for the gym
    And 5 seconds pass
    And the partner requests 45.00 from Dana for the gym
    And the next event comes after the one that follows it
    And 5 seconds pass
    And the bank returns Dana's 45.00 with R10
    And the next event comes before the call is answered
    And the partner requests 44.00 from Dana for the gym
    And 5 minutes pass
    Then the partner has heard that Dana's 44.00 is Paid
    And the books show 284.00
    When the partner shows what it has handed over
