Feature: Several locations and employees
  A chain of studios comes with two locations and two employees, and opens a third
  one later. Each location collects for itself.

  @unless:payment-timing=slow
  @clause:partner.reference.unique @clause:partner.idempotency.fresh-key @clause:partner.idempotency.opaque
  @clause:partner.privacy.free-text @clause:partner.body.known-members
  Scenario: Three studios collect from two payers
    When the partner registers the studio, "Riverside Yoga", with:
      | location | Harbour |
      | location | Hill    |
      | employee | Lee     |
      | employee | Kim     |
    And the provider verifies the studio
    And the partner adds the location "Old Town" to the studio
    And the partner lists the locations of the studio
    And the partner asks for a bank link for the studio
    Given Dana is a registered payer
    And Robin is a registered payer
    When the partner requests 30.00 from Dana for the studio at "Harbour"
    And the partner requests 45.00 from Robin for the studio at "Hill"
    And the partner requests 15.00 from Dana for the studio at "Old Town"
    And Dana approves 30.00
    And Robin approves 45.00
    And Dana approves 15.00
    And 5 seconds pass
    Then Dana's 30.00 is Paid
    And Robin's 45.00 is Paid
    And Dana's 15.00 is Paid
    And the books show 90.00
