@area:cards
Feature: A partner authorises and charges cards

  @clause:payment.card-auth
  Rule: A card authorisation answers its id, the payer's page and the payer

    Scenario: For a registered payer
      Given a company
      And a payer
      When the partner asks for a card authorisation
      Then the call is accepted without advice
      And the answer's paymentRequestId is an id
      And the answer's url is a web address
      And the answer's registrationPersonId is "the payer's id"

  @clause:payment.card-auth.amount
  Rule: A card authorisation has an amount

    Scenario: amount as "nothing" is refused
      Given a company
      And a payer
      When the partner asks for a card authorisation with amount "nothing"
      Then the call is refused because of "amount"

  @clause:payment.card-auth.amount-range
  Rule: A card authorisation's amount is at least one cent

    Scenario Outline: amount as "<value>" is refused
      Given a company
      And a payer
      When the partner asks for a card authorisation with amount "<value>"
      Then the call is refused because of "amount"

      Examples:
        | value |
        | 0     |
        | -1    |

    Scenario Outline: amount as "<value>" is accepted
      Given a company
      And a payer
      And the partner asks for a card authorisation with amount "<value>"
      When the partner asks for the payment's status
      Then the answer's amount.value is "<value>"

      Examples:
        | value               |
        | 1                   |
        | 9223372036854775807 |

  @clause:payment.card-auth.payer
  Rule: A card authorisation names its payer by registration or contact number

    Scenario: Nobody is named
      Given a company
      When the partner asks for a card authorisation with contactNumber "nothing"
      Then the call is refused because of "$"

    Scenario: The contact number alone
      Given a company
      When the partner asks for a card authorisation
      Then the answer's registrationPersonId is an id

  @clause:payment.card-auth.registration-id
  Rule: The payer of a card authorisation is named by a uuid

    Scenario: registrationId as "pat" is refused
      Given a company
      And a payer
      When the partner asks for a card authorisation with registrationId "pat"
      Then the call is refused because of "registrationId"

  @clause:payment.card-auth.registration-id-known
  Rule: The payer of a card authorisation is one of the integration's

    Scenario: registrationId as "an unknown id" is refused
      Given a company
      And a payer
      When the partner asks for a card authorisation with registrationId "an unknown id"
      Then the call is refused because of "registrationId"

  @clause:payment.card-auth.contact-number
  Rule: The contact number of a card authorisation is a valid phone number

    Scenario Outline: contactNumber as "<value>" is refused
      Given a company
      And a payer
      When the partner asks for a card authorisation with contactNumber "<value>"
      Then the call is refused because of "contactNumber"

      Examples:
        | value |
        | 12    |
        | phone |

  @clause:payment.card-auth.return-url
  Rule: The return address of a card authorisation is one that a browser can be sent to

    Scenario Outline: returnUrl as "<value>" is refused
      Given a company
      And a payer
      When the partner asks for a card authorisation with returnUrl "<value>"
      Then the call is refused because of "returnUrl"

      Examples:
        | value               |
        | back                |
        | ftp://x.example.com |

    @needs:control @choice:return-url=encrypted
    Scenario Outline: returnUrl as "<value>" is accepted
      Given a company
      And a payer
      And the partner asks for a card authorisation with returnUrl "<value>"
      When the payer types the card "approved"
      Then the payer's next page is "<page>"

      Examples:
        | value                            | page                             |
        | https://partner.example.com/card | https://partner.example.com/card |
        | nothing                          |                                  |

  @clause:payment.card-auth.location-id
  Rule: The location of a card authorisation is named by a uuid

    Scenario: locationId as "downtown" is refused
      Given a company
      And a payer
      When the partner asks for a card authorisation with locationId "downtown"
      Then the call is refused because of "locationId"

  @clause:payment.card-auth.location-id-known
  Rule: The location of a card authorisation is one of the integration's

    Scenario: locationId as "an unknown id" is refused
      Given a company
      And a payer
      When the partner asks for a card authorisation with locationId "an unknown id"
      Then the call is refused because of "locationId"

  @clause:payment.card-auth.company-verified
  Rule: A card is authorised for a company that is Verified

    @needs:control @choice:kyb-rehearsal=seeded
    Scenario: A company that is still Unverified
      Given an integration in environment "rehearsal"
      And a company
      And a payer
      When the partner asks for a card authorisation
      Then the call is accepted with an advice about "locationId"

  @clause:payment.card-auth.company
  Rule: A card authorisation needs a company

    @needs:fresh
    Scenario: The integration has none
      Given a payer
      When the partner asks for a card authorisation
      Then the call is refused because of "companyId"

  @clause:payment.card-auth.machine
  Rule: A card authorisation follows the payer, the issuer and the partner

    @needs:control
    Scenario Outline: <event> of a <from> authorisation
      Given a card authorisation that is "<from>"
      When "<event>" happens to the card authorisation
      Then the card authorisation is "<to>"

      Examples:
        | from       | event           | to         |
        | Pending    | authorise       | Authorised |
        | Pending    | decline         | Declined   |
        | Pending    | challenge-card  | Challenged |
        | Pending    | processor-error | Pending    |
        | Pending    | cancel          | Canceled   |
        | Challenged | pass-challenge  | Authorised |
        | Challenged | fail-challenge  | Declined   |
        | Challenged | cancel          | Canceled   |

    @needs:control
    Scenario Outline: No <event> of a <from> authorisation
      Given a card authorisation that is "<from>"
      When "<event>" is tried on the card authorisation
      Then the move is refused
      And the card authorisation is "<from>"

      Examples:
        | from       | event          |
        | Pending    | pass-challenge |
        | Authorised | decline        |
        | Declined   | cancel         |
        | Canceled   | decline        |

  @clause:payment.card-auth.outcome
  Rule: The card that the payer types decides

    @needs:control
    Scenario Outline: A card that is <card>
      Given a card authorisation that is "Pending"
      When the payer types the card "<card>"
      Then the card authorisation is "<status>"

      Examples:
        | card               | status     |
        | approved           | Authorised |
        | declined           | Declined   |
        | insufficient-funds | Declined   |
        | expired            | Declined   |
        | wrong-code         | Declined   |
        | challenge-passes   | Challenged |
        | challenge-fails    | Challenged |
        | processor-error    | Pending    |
        | later-decline      | Authorised |

    @needs:control
    Scenario Outline: A payer who <how> the challenge
      Given a card authorisation that is "Pending"
      And the payer types the card "challenge-passes"
      When the payer <how> the challenge
      Then the card authorisation is "<status>"

      Examples:
        | how    | status     |
        | passes | Authorised |
        | fails  | Declined   |

  @clause:payment.card-auth.cancel
  Rule: A card authorisation that waits can be cancelled

    @needs:control
    Scenario: The partner cancels
      Given a card authorisation that is "Pending"
      When the partner cancels the payment
      Then the card authorisation is "Canceled"
