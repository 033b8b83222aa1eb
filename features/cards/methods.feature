@area:cards
Feature: A partner lists saved cards

  @clause:card.methods @surface:docs
  Rule: A payer's saved cards are listed with brand, last four digits and expiry

    @needs:control
    Scenario: One card
      Given a payer
      And a saved card "approved"
      When the partner lists the saved cards
      Then the answer lists 1 paymentMethods
      And the answer's paymentMethods[0].id is "the card's id"
      And the answer's paymentMethods[0].brand is "visa"
      And the answer's paymentMethods[0].last4 is "4242"

    Scenario: No card
      Given a payer
      When the partner lists the saved cards
      Then the answer lists 0 paymentMethods

    @needs:control
    Scenario: A card that was authorised on the page is saved
      Given a card authorisation that is "Pending"
      And the payer types the card "approved"
      When the partner lists the saved cards
      Then the answer lists 1 paymentMethods

    @needs:control
    Scenario: A card that was authorised by a call is saved
      Given a card authorisation that is "Pending"
      And "authorise" happens to the card authorisation
      When the partner lists the saved cards
      Then the answer lists 1 paymentMethods

    @needs:control
    Scenario: A card whose challenge was passed by a call is saved
      Given a card authorisation that is "Challenged"
      And "pass-challenge" happens to the card authorisation
      When the partner lists the saved cards
      Then the answer lists 1 paymentMethods

    @needs:control @choice:rate-limit=none
    Scenario: Saved cards are there when the sandbox goes back
      Given a company
      And a payer
      And a saved card "approved"
      And the sandbox is saved
      And the sandbox goes back to what was saved
      When the partner lists the saved cards
      Then the answer's paymentMethods[0].last4 is "4242"
      And the answer's paymentMethods[0].id is "the card"

    @needs:control @choice:rate-limit=none
    Scenario: More than one card is there when the sandbox goes back
      Given a company
      And a payer
      And a saved card "approved"
      And a saved card "declined"
      And the sandbox is saved in a file
      And the sandbox goes back to what was saved
      When the partner lists the saved cards
      Then the answer lists 2 paymentMethods

  @clause:card.methods.unknown @surface:docs
  Rule: The cards of a payer that the integration does not have are unknown

    Scenario: No such payer
      Given a payer
      And the partner lists the saved cards
      When the partner lists the saved cards of an unknown payer
      Then the service refuses it as unknown

    @choice:error-body=problem-details
    Scenario Outline: No company has the <member>
      Given a payer
      When the partner lists the saved cards with <member> "<value>"
      Then the service refuses it as unknown
      And the refusal speaks of "company"

      Examples:
        | member             | value         |
        | companyId          | an unknown id |
        | companyReferenceId | nobody        |

  @clause:card.methods.company-id @surface:docs
  Rule: A company in the list of cards is named by a uuid

    Scenario: companyId as "loc-001" is refused
      Given a payer
      When the partner lists the saved cards with companyId "loc-001"
      Then the call is refused because of "query:companyId"

  @clause:card.methods.company @surface:docs
  Rule: The list of cards names one company

    Scenario: Two companies
      Given a company
      And another company
      And a payer
      When the partner lists the saved cards with:
        | companyId          | the company's id              |
        | companyReferenceId | the other company's reference |
      Then the call is refused because of "query:companyReferenceId"

    @needs:control
    Scenario Outline: One company, by its <member>
      Given a company
      And a payer
      And a saved card "approved"
      When the partner lists the saved cards with <member> "<value>"
      Then the answer lists 1 paymentMethods
      And the call is accepted without advice

      Examples:
        | member             | value                   |
        | companyId          | the company's id        |
        | companyReferenceId | the company's reference |

    @needs:control
    Scenario: The same company twice
      Given a company
      And a payer
      And a saved card "approved"
      When the partner lists the saved cards with:
        | companyId          | the company's id        |
        | companyReferenceId | the company's reference |
      Then the answer lists 1 paymentMethods
      And the call is accepted without advice
