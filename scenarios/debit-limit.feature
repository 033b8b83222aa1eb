Feature: Automatic collection within a limit
  A member lets the gym debit her account up to a limit. What stays within it is
  collected by itself; what does not waits until she says yes.

  @unless:payment-timing=slow @unless:auto-debit=ask @unless:event-order=shuffled
  @clause:partner.payment.over-limit @clause:partner.reference.unique @clause:partner.idempotency.fresh-key
  Scenario: Dana's account is debited, but not beyond her limit
    Given the gym, "Northside Gym", is a customer of the partner
    And Dana is a registered payer
    When the partner asks Dana to authorise debits for the gym up to 80.00
    And Dana authorises the debits of the gym
    And the partner requests 49.00 from Dana for the gym
    Then Dana's 49.00 is Processing
    When 5 seconds pass
    Then Dana's 49.00 is Paid
    And the partner has heard that Dana's 49.00 is Paid
    When the partner requests 120.00 from Dana for the gym
    Then Dana's 120.00 is Pending
    When 1 day passes
    And the partner asks how Dana's 120.00 stands
    And Dana approves 120.00
    And 5 seconds pass
    Then Dana's 120.00 is Paid
    And the books show 169.00
