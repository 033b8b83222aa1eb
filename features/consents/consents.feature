@area:consents
Feature: Payers consent to plans

  @clause:consent.machine @surface:provisional
  Rule: A consent is accepted or declined, and an accepted one can be revoked

    @needs:control
    Scenario Outline: <event> of a <from> consent
      Given a consent that is "<from>"
      When "<event>" happens to the consent
      Then the consent is "<to>"

      Examples:
        | from     | event   | to       |
        | Pending  | accept  | Accepted |
        | Pending  | decline | Declined |
        | Accepted | decline | Revoked  |

    @needs:control
    Scenario Outline: No <event> of a <from> consent
      Given a consent that is "<from>"
      When "<event>" is tried on the consent
      Then the move is refused
      And the consent is "<from>"

      Examples:
        | from     | event   |
        | Accepted | accept  |
        | Declined | accept  |
        | Declined | decline |
        | Revoked  | accept  |
        | Revoked  | decline |

  @clause:consent.decline.pending @surface:provisional
  Rule: A Pending consent that is declined is Declined

    @needs:control
    Scenario: By the partner's call
      Given a consent that is "Pending"
      When the partner declines the consent
      Then the answer is empty
      And the consent is "Declined"

  @clause:consent.decline.accepted @surface:provisional
  Rule: An Accepted consent that is declined is Revoked

    @needs:control
    Scenario: By the partner's call
      Given a consent that is "Accepted"
      When the partner declines the consent
      Then the consent is "Revoked"

  @clause:consent.decline.refused @surface:provisional
  Rule: A consent that is Declined or Revoked stays so

    @needs:control
    Scenario Outline: A <status> consent
      Given a consent that is "<status>"
      When the partner declines the consent
      Then the service refuses it as invalid
      And the consent is "<status>"

      Examples:
        | status   |
        | Declined |
        | Revoked  |

  @clause:consent.list @surface:provisional
  Rule: The list shows the consents that are Pending or Accepted, with their status

    @needs:control
    Scenario Outline: A <status> consent is listed
      Given a consent that is "<status>"
      When the partner lists the consents
      Then the answer lists 1 consents
      And the answer's consents[0].status is "<status>"

      Examples:
        | status   |
        | Pending  |
        | Accepted |

    @needs:control
    Scenario Outline: A <status> consent is not listed
      Given a consent that is "<status>"
      When the partner lists the consents
      Then the answer lists 0 consents

      Examples:
        | status   |
        | Declined |
        | Revoked  |

    @needs:control
    Scenario: The consents of one plan
      Given a consent that is "Pending"
      And another plan
      When the partner lists the consents with planId "the other plan's id"
      Then the answer lists 0 consents

    @needs:control
    Scenario: The consents of one payer
      Given a consent that is "Pending"
      When the partner lists the consents with registrationId "the payer's id"
      Then the answer lists 1 consents

  @clause:consent.read @surface:provisional
  Rule: A consent is read with the plan's terms and the recipient company

    @needs:control
    Scenario: The recipient company
      Given a consent that is "Pending"
      When the partner reads the consent
      Then the answer's recipientCompany.name is "Hillside Fitness"
      And the answer's recipientCompany.contactNumber is "+12135550100"
      And the answer's recipientCompany.emailAddress is "office@hillside-fitness.example.com"
      And the answer's recipientCompany.websiteUrl is "https://hillside-fitness.example.com"
      And the answer's recipientCompany.address.city is "Los Angeles"
      And the answer's plan.amount is "5000"

  @clause:consent.unknown @surface:provisional
  Rule: A consent that the integration does not have is unknown

    Scenario: No such consent
      When the partner reads an unknown consent
      Then the service refuses it as unknown

    @needs:control
    Scenario Outline: The other partner <deed>
      Given a consent that is "Pending"
      And another partner
      When the other partner <deed>
      Then the service refuses it as unknown

      Examples:
        | deed                 |
        | reads the consent    |
        | declines the consent |
