@area:cards
Feature: A partner charges saved cards

  @clause:payment.saved-card
  Rule: A saved card is charged without the payer, with exactly the amount that was asked for

    @needs:control
    Scenario: A good card
      Given a company
      And a payer
      And a saved card "approved"
      When the partner charges the saved card with amount "4999"
      Then the answer's status is "success"
      And the answer's chargedAmount is "4999"
      And the answer's paymentRequestId is an id
      And the answer's registrationId is "the payer's id"

    @needs:control
    Scenario: The charge is Paid at once
      Given a company
      And a payer
      And a saved card "approved"
      When the partner charges the saved card
      Then the payment is "Paid"

    @needs:control
    Scenario: What the sandbox shows of a saved card
      Given a company
      And a registered payer
      And a saved card "approved"
      When the partner charges the saved card
      Then the sandbox shows "the saved card" as:
        """
        {"kind":"saved-card","id":"{card}","machine":"","status":"","summary":"visa 4242 of pat.lindgren@example.com","amount":null,"created":null,"changed":null,"relations":[{"relation":"payer","kind":"registration","id":"{payer}"}],
        "console":"/console/{integration}/entities/{card}","facts":[{"name":"outcome","value":"approved"},{"name":"expires","value":"12/2029"}],
        "page":null,"visited":[],"moves":[],
        "related":[{"kind":"registration","id":"{payer}","machine":"registration","status":"Registered","summary":"pat.lindgren@example.com","amount":null,"created":"2026-03-02T17:00:00Z","changed":"2026-03-02T17:00:00Z","relations":[],
        "console":"/console/{integration}/entities/{payer}"}],"deliveries":[],"messages":[],"entries":[],"omitted":0,"gap":null}
        """

    @needs:control @choice:saved-card-status=200
    Scenario Outline: What becomes of a charge to the card "<card>"
      Given a company
      And a registered payer
      And a saved card "<card>"
      When the partner charges the saved card
      And 1 day passes
      Then the payment is "<status>"

      Examples:
        | card             | status |
        | approved         | Paid   |
        | challenge-passes | Paid   |
        | later-decline    | Denied |

    @needs:control
    Scenario: A payer's second card
      Given a company
      And a registered payer
      And a saved card "approved"
      And a saved card "later-decline"
      When the partner lists the saved cards
      Then the answer lists 2 paymentMethods

    @needs:control @choice:saved-card-status=200
    Scenario: A card that has expired since
      Given a company
      And a registered payer
      And a saved card "approved"
      And the clock reaches "2040-01-01T00:00:00Z"
      When the partner charges the saved card
      Then the answer's status is "declined"

  @clause:payment.saved-card.refused
  Rule: A card that is refused is an answer that charged nothing

    @needs:control
    Scenario Outline: A card that is <card>
      Given a company
      And a payer
      And a saved card "<card>"
      When the partner charges the saved card
      Then the answer's status is "<status>"
      And the answer's chargedAmount is "0"
      And the payment is "<state>"

      Examples:
        | card               | status   | state  |
        | declined           | declined | Denied |
        | insufficient-funds | declined | Denied |
        | expired            | declined | Denied |
        | wrong-code         | declined | Denied |
        | challenge-fails    | declined | Denied |
        | later-decline      | declined | Denied |
        | processor-error    | failed   | Failed |

  @clause:payment.saved-card.amount
  Rule: A saved-card charge has an amount

    @needs:control
    Scenario: amount as "nothing" is refused
      Given a company
      And a payer
      And a saved card "approved"
      When the partner charges the saved card with amount "nothing"
      Then the call is refused because of "amount"

  @clause:payment.saved-card.amount-range
  Rule: A saved-card charge is at least one cent

    @needs:control
    Scenario Outline: amount as "<value>" is refused
      Given a company
      And a payer
      And a saved card "approved"
      When the partner charges the saved card with amount "<value>"
      Then the call is refused because of "amount"

      Examples:
        | value |
        | 0     |
        | -1    |

    @needs:control
    Scenario Outline: amount as "<value>" is accepted
      Given a company
      And a payer
      And a saved card "approved"
      And the partner charges the saved card with amount "<value>"
      When the partner asks for the payment's status
      Then the answer's amount.value is "<value>"

      Examples:
        | value      |
        | 1          |
        | 2147483647 |

  @clause:payment.saved-card.registration
  Rule: A saved-card charge names the payer

    @needs:control
    Scenario: registrationId as "nothing" is refused
      Given a company
      And a payer
      And a saved card "approved"
      When the partner charges the saved card with registrationId "nothing"
      Then the call is refused because of "registrationId"

  @clause:payment.saved-card.registration-id
  Rule: The payer of a saved-card charge is named by a uuid

    @needs:control
    Scenario: registrationId as "pat" is refused
      Given a company
      And a payer
      And a saved card "approved"
      When the partner charges the saved card with registrationId "pat"
      Then the call is refused because of "registrationId"

  @clause:payment.saved-card.registration-id-known
  Rule: The payer of a saved-card charge is one of the integration's

    @needs:control
    Scenario: registrationId as "an unknown id" is refused
      Given a company
      And a payer
      And a saved card "approved"
      When the partner charges the saved card with registrationId "an unknown id"
      Then the call is refused because of "registrationId"

  @clause:payment.saved-card.payment-method
  Rule: A saved-card charge names the card

    @needs:control
    Scenario: paymentMethodId as "nothing" is refused
      Given a company
      And a payer
      And a saved card "approved"
      When the partner charges the saved card with paymentMethodId "nothing"
      Then the call is refused because of "paymentMethodId"

  @clause:payment.saved-card.payment-method-known
  Rule: The card that is charged is the payer's

    @needs:control
    Scenario Outline: paymentMethodId as "<value>" is refused
      Given a company
      And a payer
      And a saved card "approved"
      When the partner charges the saved card with paymentMethodId "<value>"
      Then the call is refused because of "paymentMethodId"

      Examples:
        | value                                       |
        | pm_123                                      |
        | pm_1111222233334444555566667777888899990000 |
        | px_11112222333344445555666677778888         |
        | an unknown id                               |

    @needs:control
    Scenario: Somebody else's card
      Given a company
      And a payer
      And a saved card "approved"
      And another payer
      When the partner charges the saved card with registrationId "the other payer's id"
      Then the call is refused because of "paymentMethodId"

    @needs:control @choice:rate-limit=none
    Scenario: A card can be charged when the sandbox goes back
      Given a company
      And a payer
      And a saved card "approved"
      And the sandbox is saved
      When the partner charges the saved card
      Then the call is accepted without advice
      And the sandbox goes back and the same is done again

    @needs:control @choice:rate-limit=none
    Scenario: Whose a card is stays when the sandbox goes back
      Given a payer
      And a saved card "approved"
      And another payer
      And the sandbox is saved in a file
      When the partner charges the saved card with registrationId "the other payer's id"
      Then the call is refused because of "paymentMethodId"
      And the sandbox goes back and the same is done again

  @clause:payment.saved-card.fee-payer
  Rule: The fee of a charge is borne by the client, the partner, or whom the payer chooses

    @needs:control
    Scenario: feePayer as "payer" is accepted with an advice
      Given a company
      And a payer
      And a saved card "approved"
      When the partner charges the saved card with feePayer "payer"
      Then the call is accepted with an advice about "feePayer"

    @needs:control
    Scenario: A strict integration refuses feePayer as "payer"
      Given a strict integration
      And a company
      And a payer
      And a saved card "approved"
      When the partner charges the saved card with feePayer "payer"
      Then the call is refused because of "feePayer"

    @needs:control
    Scenario Outline: feePayer as "<value>" needs no advice
      Given a company
      And a payer
      And a saved card "approved"
      When the partner charges the saved card with feePayer "<value>"
      Then the call is accepted without advice

      Examples:
        | value   |
        | null    |
        | partner |

  @clause:payment.saved-card.due-date
  Rule: A charge's due date is a day of the calendar

    @needs:control
    Scenario Outline: dueDate as "<value>" is refused
      Given a company
      And a payer
      And a saved card "approved"
      When the partner charges the saved card with dueDate "<value>"
      Then the call is refused because of "dueDate"

      Examples:
        | value      |
        | 2026-02-30 |
        | soon       |

    @needs:control
    Scenario Outline: dueDate as "<value>" needs no advice
      Given a company
      And a payer
      And a saved card "approved"
      When the partner charges the saved card with dueDate "<value>"
      Then the call is accepted without advice

      Examples:
        | value    |
        | null     |
        | tomorrow |

  @clause:payment.saved-card.due-date-past
  Rule: A charge's due date should not have passed

    @needs:control
    Scenario: dueDate as "yesterday" is accepted with an advice
      Given a company
      And a payer
      And a saved card "approved"
      When the partner charges the saved card with dueDate "yesterday"
      Then the call is accepted with an advice about "dueDate"

    @needs:control
    Scenario: A strict integration refuses dueDate as "yesterday"
      Given a strict integration
      And a company
      And a payer
      And a saved card "approved"
      When the partner charges the saved card with dueDate "yesterday"
      Then the call is refused because of "dueDate"

  @clause:payment.saved-card.attachment
  Rule: A charge's attachment is a file in base64 or the address of one

    @needs:control
    Scenario: attachment as "no base64!" is refused
      Given a company
      And a payer
      And a saved card "approved"
      When the partner charges the saved card with attachment "no base64!"
      Then the call is refused because of "attachment"

    @needs:control
    Scenario Outline: attachment as "<value>" needs no advice
      Given a company
      And a payer
      And a saved card "approved"
      When the partner charges the saved card with attachment "<value>"
      Then the call is accepted without advice

      Examples:
        | value |
        | null  |
        | a PDF |

  @clause:payment.saved-card.attachment-pdf
  Rule: A charge's attachment should be a PDF

    @needs:control
    Scenario: attachment as "a text file" is accepted with an advice
      Given a company
      And a payer
      And a saved card "approved"
      When the partner charges the saved card with attachment "a text file"
      Then the call is accepted with an advice about "attachment"

    @needs:control
    Scenario: A strict integration refuses attachment as "a text file"
      Given a strict integration
      And a company
      And a payer
      And a saved card "approved"
      When the partner charges the saved card with attachment "a text file"
      Then the call is refused because of "attachment"

  @clause:payment.saved-card.location-id
  Rule: A charge's location is named by a uuid

    @needs:control
    Scenario: locationId as "downtown" is refused
      Given a company
      And a payer
      And a saved card "approved"
      When the partner charges the saved card with locationId "downtown"
      Then the call is refused because of "locationId"

  @clause:payment.saved-card.location-id-known
  Rule: A charge's location is one of the integration's

    @needs:control
    Scenario: locationId as "an unknown id" is refused
      Given a company
      And a payer
      And a saved card "approved"
      When the partner charges the saved card with locationId "an unknown id"
      Then the call is refused because of "locationId"

  @clause:payment.saved-card.company-verified
  Rule: A charge goes to a company that is Verified

    @needs:control @choice:kyb-rehearsal=seeded
    Scenario: A company that is still Unverified
      Given an integration in environment "rehearsal"
      And a company
      And a payer
      And a saved card "approved"
      When the partner charges the saved card
      Then the call is accepted with an advice about "locationId"

  @clause:payment.saved-card.company
  Rule: A charge needs a company

    @needs:control
    Scenario: The integration has none
      Given a payer
      And a saved card "approved"
      When the partner charges the saved card
      Then the call is refused because of "companyId"

  @clause:charge.unknown-member
  Rule: A charge with a member that nobody knows is refused

    @needs:control
    Scenario: companyId as "the company's id" is refused
      Given a company
      And a payer
      And a saved card "approved"
      When the partner charges the saved card with companyId "the company's id"
      Then the call is refused because of "companyId"

    @needs:control
    Scenario: companyReferenceId as "loc-001" is refused
      Given a company
      And a payer
      And a saved card "approved"
      When the partner charges the saved card with companyReferenceId "loc-001"
      Then the call is refused because of "companyReferenceId"

    @needs:control
    Scenario: tip as "5" is refused
      Given a company
      And a payer
      And a saved card "approved"
      When the partner charges the saved card with tip "5"
      Then the call is refused because of "tip"

  @clause:payment.saved-card.null-members
  Rule: The optional members of a charge may be null

    @needs:control
    Scenario: All of them null
      Given a company
      And a payer
      And a saved card "approved"
      When the partner charges the saved card with:
        | shortDescription | null |
        | feePayer         | null |
        | attachment       | null |
        | dueDate          | null |
      Then the call is accepted without advice
