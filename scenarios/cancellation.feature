Feature: Cancel in time and too late
  One request is taken back before the member has answered. Another cancellation
  comes when the money is already on its way.

  @unless:payment-timing=slow
  @clause:partner.payment.cancel-conflict
  Scenario: One of two cancellations comes too late
    Given the gym, "Northside Gym", is a customer of the partner
    And Dana is a registered payer
    When the partner requests 50.00 from Dana for the gym
    And the partner cancels Dana's 50.00
    Then Dana's 50.00 is Canceled
    And the partner has heard that Dana's 50.00 is Canceled
    When the partner requests 35.00 from Dana for the gym
    And Dana approves 35.00
    And the partner cancels Dana's 35.00 too late
    And 5 seconds pass
    Then Dana's 35.00 is Paid
    And the books show 35.00
