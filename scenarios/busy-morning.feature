Feature: A busy morning
  A class fills up within a minute, and its members pay at once. The partner asks for all the
  states at the same time, just when its access token has been withdrawn.

  @unless:payment-timing=slow
  @clause:partner.token.recover
  Scenario: Five payments in a minute
    Given the studio, "Riverside Yoga", is a customer of the partner
    And Dana is a registered payer
    And Robin is a registered payer
    And Lee is a registered payer
    When the partner requests 15.00 from Dana for the studio
    And the partner requests 16.00 from Dana for the studio
    And the partner requests 17.00 from Robin for the studio
    And the partner requests 18.00 from Robin for the studio
    And the partner requests 19.00 from Lee for the studio
    And Dana approves 15.00
    And Dana approves 16.00
    And Robin approves 17.00
    And Robin approves 18.00
    And Lee approves 19.00
    And 5 seconds pass
    Then the books show 85.00
    When the service withdraws the partner's access token
    And the partner asks how all payments stand, at the same time
    Then the partner has heard that Lee's 19.00 is Paid
