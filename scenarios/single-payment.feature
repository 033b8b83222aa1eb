Feature: A payer registers with a single payment
  A visitor pays once, and registers on the way. The money is collected with the registration,
  and nobody asks for it a second time.

  @unless:registration-with-payment=none @unless:payment-timing=slow @unless:event-order=shuffled
  @clause:partner.phone.e164 @clause:partner.amount.cents
  Scenario: Dana buys a day ticket
    Given the spa, "Hot Springs Spa", is a customer of the partner
    When the partner registers Dana for a single payment of 29.50
    And Dana completes the registration
    And Dana comes back to the partner
    And the partner asks whether Dana is registered
    Then Dana is Registered
    And Dana's 29.50 is Processing
    When 5 seconds pass
    Then Dana's 29.50 is Paid
    And the partner has heard that Dana's 29.50 is Paid
    And the books show 29.50
