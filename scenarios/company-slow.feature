Feature: A slow verification
  The verification of a school takes a whole day, the longest that it may take. The partner asks
  now and then, hears that it has ended, and collects.

  @unless:environment=sandbox @unless:kyb-rehearsal=at-once @unless:kyb-rehearsal=after-3-reads
  @unless:payment-timing=slow @unless:event-order=shuffled
  @clause:partner.polling.gentle @clause:partner.company.verified-first @clause:partner.token.refresh
  @clause:company.kyb.verified
  Scenario: A school is verified after a whole day
    When the partner registers the school, "KYB SLOW Harbour School"
    And the partner asks how the verification of the school stands
    And 8 hours pass
    And the partner asks how the verification of the school stands
    And 8 hours pass
    And the partner asks how the verification of the school stands
    Then the school is Unverified
    When 8 hours pass
    Then the school is Verified
    And the partner has heard that the school is Verified
    Given Dana is a registered payer
    When the partner requests 120.00 from Dana for the school
    And Dana approves 120.00
    And 5 seconds pass
    Then Dana's 120.00 is Paid
    And the books show 120.00
