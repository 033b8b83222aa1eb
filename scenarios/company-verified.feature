Feature: A company is verified
  The provider looks into a practice before money may be collected for it. The partner holds one
  request back until the practice is verified, and one until the patient has registered as well.

  @unless:environment=sandbox @unless:kyb-rehearsal=at-once @unless:payment-timing=slow @unless:event-order=shuffled
  @clause:partner.company.verified-first @clause:partner.payer.registered-first @clause:partner.privacy.references
  @clause:partner.privacy.urls
  Scenario: Requests wait for the practice and for the patient
    When the partner registers the practice, "Lakeside Dental"
    Then the practice is Unverified
    Given Dana is a registered payer
    When the partner registers Robin as a payer
    And the partner wants 75.00 from Dana for the practice as soon as that is allowed
    And the partner wants 60.00 from Robin for the practice as soon as that is allowed
    And 2 hours pass
    And the partner asks how the verification of the practice stands
    And the provider verifies the practice
    Then the partner has heard that the practice is Verified
    And the practice has got an e-mail with its links
    When the practice links its bank
    Then the partner has requested 75.00 from Dana
    When Robin completes the registration
    And Robin comes back to the partner
    Then the partner has requested 60.00 from Robin
    When Dana approves 75.00
    And Robin approves 60.00
    And 5 seconds pass
    Then Dana's 75.00 is Paid
    And Robin's 60.00 is Paid
    And the books show 135.00
