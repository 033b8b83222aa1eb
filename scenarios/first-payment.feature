Feature: First payment
  A gym becomes a customer of the partner. One of its members registers, is asked for a month's
  fee, says yes, and the money arrives.

  @unless:payment-timing=slow @unless:event-order=shuffled
  @clause:partner.token.reuse @clause:partner.token.out-of-urls @clause:partner.token.server-side
  @clause:partner.client.user-agent @clause:partner.body.known-members @clause:partner.body.known-values
  @clause:partner.reference.present @clause:partner.idempotency.key @clause:partner.amount.cents
  @clause:partner.phone.e164 @clause:partner.payer.registered-first @clause:partner.company.verified-first
  @clause:partner.payment.books
  Scenario: Dana pays her first month at the gym
    Given the gym, "Northside Gym", is a customer of the partner
    And the gym has got an e-mail with its links
    When the partner registers Dana as a payer
    And Dana completes the registration
    And Dana comes back to the partner
    Then Dana is Registered
    When the partner requests 49.90 from Dana for the gym
    Then Dana has got an SMS about 49.90
    When Dana approves 49.90
    And Dana comes back to the partner
    Then Dana's 49.90 is Processing
    When 5 seconds pass
    Then Dana's 49.90 is Paid
    And the partner has heard that Dana's 49.90 is Paid
    And the books show 49.90
    When the partner shows what it has handed over
