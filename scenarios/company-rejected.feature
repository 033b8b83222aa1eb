Feature: A company is rejected
  The provider rejects a shop. Nothing may be charged for it; the partner goes on
  with its other customer.

  @unless:environment=sandbox @unless:kyb-rehearsal=at-once @unless:payment-timing=slow
  @clause:partner.company.rejected @clause:partner.company.verified-first
  @clause:company.kyb.rejected
  Scenario: Nothing is collected for a shop that was rejected
    Given the gym, "Northside Gym", is a customer of the partner
    And Dana is a registered payer
    When the partner registers the shop, "Corner Vapes"
    And the partner wants 20.00 from Dana for the shop as soon as that is allowed
    And the provider rejects the shop
    Then the shop is Rejected
    And the partner has heard that the shop is Rejected
    When 1 day passes
    And the partner requests 50.00 from Dana for the gym
    And Dana approves 50.00
    And 5 seconds pass
    Then Dana's 50.00 is Paid
    And the books show 50.00
