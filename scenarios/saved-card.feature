Feature: A saved card
  Two members save their cards by authorising a small amount. Later one of the cards is charged
  for a class, and the charge of the other one is declined.

  @unless:event-order=shuffled
  @clause:partner.idempotency.key @clause:partner.amount.cents @clause:partner.body.known-members
  Scenario: A saved card is charged, another one is declined
    When the partner registers the studio, "Riverside Yoga", with:
      | location | Harbour |
    And the provider verifies the studio
    Given Dana is a registered payer
    And Lee is a registered payer
    When the partner asks Dana to authorise a card for 1.00 at the studio
    And Dana types a card for 1.00
    And Dana comes back to the partner
    And the partner looks up Dana's saved cards
    And the partner charges Dana's saved card with 24.90 for the studio
    Then Dana's 24.90 is Paid
    And the partner has heard that Dana's 24.90 is Paid
    When the partner asks Lee to authorise a card for 2.00 at the studio
    And Lee types a card for 2.00 whose later charges are declined
    And the partner looks up Lee's saved cards
    And the partner charges Lee's saved card with 40.00 for the studio
    Then Lee's 40.00 is Denied
    And the partner has heard that Lee's 40.00 is Denied
    And the books show 24.90
