Feature: A card payment at the terminal
  A patient pays with a card at the desk. The partner registers the payment, and
  the patient gets a confirmation by SMS and by e-mail.

  @clause:partner.phone.e164 @clause:partner.amount.cents @clause:partner.body.known-values
  @clause:card-payment.register @clause:card-payment.message
  Scenario: Dana pays at the desk
    Given the practice, "Lakeside Dental", is a customer of the partner
    When the partner registers a card payment of 18.40 by Dana at the terminal of the practice
    Then Dana has got an SMS about 18.40
    And Dana has got an e-mail about 18.40
    When the partner reads the report of the practice
    Then the report has told the partner of 1 payment
