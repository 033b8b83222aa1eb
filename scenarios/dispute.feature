Feature: A dispute
  Weeks after a payment the member tells her bank that she never agreed to it. The money of that
  one payment goes back; the next payment stays.

  @unless:payment-machine=no-late-return @unless:event-order=shuffled
  @clause:partner.payment.late-return @clause:partner.reference.unique
  Scenario: Dana disputes one of two payments
    Given the gym, "Northside Gym", is a customer of the partner
    And Dana is a registered payer
    When the partner requests 50.00 from Dana for the gym, due in 3 days
    Then Dana has got an SMS about 50.00
    When Dana approves 50.00
    Then Dana's 50.00 is Scheduled
    When 4 days pass
    And the partner requests 55.00 from Dana for the gym
    And Dana approves 55.00
    And 3 weeks pass
    Then the books show 105.00
    When the bank returns Dana's 50.00 with R10
    Then the partner has heard that Dana's 50.00 is Failed
    And the books show 55.00
    When the partner shows what it has handed over
