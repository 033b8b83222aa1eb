Feature: Full and partial refunds
  Two classes were cancelled. One member gets a part of the money back, with a receipt, and later
  the rest; another one gets everything back at once.

  @unless:payment-timing=slow
  @clause:partner.idempotency.key @clause:partner.idempotency.fresh-key @clause:partner.amount.cents
  @clause:partner.retry.not-4xx
  @clause:payment.refund @clause:payment.refund.attachment @clause:payment.refund.amount-left
  Scenario: Money goes back in parts and at once
    Given the studio, "Riverside Yoga", is a customer of the partner
    And Dana is a registered payer
    And Robin is a registered payer
    When the partner requests 80.00 from Dana for the studio
    And the partner requests 60.00 from Robin for the studio
    And Dana approves 80.00
    And Robin approves 60.00
    And 5 seconds pass
    Then the books show 140.00
    When the partner refunds 30.50 of Dana's 80.00 with a receipt
    Then Dana has got an e-mail about 30.50
    When the partner refunds 60.00 of Dana's 80.00, more than there is
    And the partner refunds 60.00 of Robin's 60.00
    And 3 days pass
    Then the books show 49.50
    When the partner refunds 49.50 of Dana's 80.00
    And the partner asks how Dana's 80.00 stands
    And the partner asks how Robin's 60.00 stands
    And 3 days pass
    Then the books show 0.00
