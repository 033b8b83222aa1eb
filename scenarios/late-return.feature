Feature: A late return by the bank
  A payment was Paid, and the member has got what she paid for. Days later her bank takes the
  money back, and the partner takes back what it has handed over.

  @unless:payment-machine=no-late-return @unless:payment-timing=slow @unless:event-order=shuffled
  @clause:partner.payment.late-return @clause:partner.payment.paid-first
  Scenario: Dana's bank takes the money back
    Given the gym, "Northside Gym", is a customer of the partner
    When the partner registers Dana as a payer
    And Dana completes the registration with the test account "unauthorised-late-return"
    And the partner requests 50.00 from Dana for the gym
    And Dana approves 50.00
    And the partner shows what it has handed over
    And 5 seconds pass
    Then Dana's 50.00 is Paid
    And the partner has heard that Dana's 50.00 is Paid
    And the books show 50.00
    When the partner shows what it has handed over
    And 5 days pass
    Then Dana's 50.00 is Failed
    And the partner has heard that Dana's 50.00 is Failed
    And the books show 0.00
    When the partner shows what it has handed over
