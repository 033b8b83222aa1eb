Feature: A payer who says no, and a bank that does
  One member denies a request and comes back to the partner all the same. Another
  one says yes, but her bank refuses. Nothing is handed over for either.

  @clause:partner.payment.redirect
  Scenario: Coming back is no proof of payment
    Given the gym, "Northside Gym", is a customer of the partner
    And Dana is a registered payer
    And Robin is a registered payer
    When the partner requests 50.00 from Dana for the gym
    And Dana denies 50.00
    And Dana comes back to the partner
    And the partner shows what it has handed over
    Then Dana's 50.00 is Denied
    When the partner requests 45.00 from Robin for the gym
    And Robin approves 45.00
    And Robin comes back to the partner
    And the bank refuses Robin's 45.00 with R01
    Then Robin's 45.00 is Failed
    And the partner has heard that Robin's 45.00 is Failed
    And the books show 0.00
    When the partner shows what it has handed over
