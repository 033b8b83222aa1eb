@area:companies
Feature: A partner follows a company's verification

  @clause:company.status
  Rule: A company's status is read by its reference or its id

    Scenario: By its reference
      Given a company
      When the partner asks for the company's status
      Then the answer's status is "Verified"

    @choice:company-path-ref=either
    Scenario: By its id
      Given a company
      When the partner asks for the company's status by its id
      Then the answer's status is "Verified"

    Scenario: There is none before the company is registered
      Given a company
      When the partner asks for the status of an unknown company
      Then the service refuses it as unknown

  @clause:company.status.unknown
  Rule: A company that the integration does not have is unknown

    Scenario Outline: <deed>
      Given a company
      When the partner <deed>
      Then the service refuses it as unknown

      Examples:
        | deed                                       |
        | asks for the status of an unknown company  |
        | adds a location to an unknown company      |
        | lists the locations of an unknown company  |
        | asks for a bank link of an unknown company |

    @needs:control
    Scenario Outline: The other partner <deed>
      Given a company
      And another partner
      When the other partner <deed>
      Then the service refuses it as unknown

      Examples:
        | deed                                    |
        | asks for the company's status           |
        | asks for the company's status by its id |
        | adds a location                         |
        | lists the locations                     |
        | asks for a bank link                    |

  @clause:company.status.sandbox
  Rule: In the sandbox every company is Verified at once

    @choice:company-path-ref=either
    Scenario: An ordinary company
      When the partner registers a company
      Then the company is "Verified"

    @choice:company-path-ref=either
    Scenario: Even one whose name asks for a rejection
      When the partner registers a company with name "KYB REJECT Gym"
      Then the company is "Verified"

    Scenario: One that was refused is not
      Given the partner registers a company with zipCode "no zip"
      And the service refuses it as invalid
      When the partner asks for the status of an unknown company
      Then the service refuses it as unknown

  @clause:company.status.default
  Rule: The status without a name is that of the integration's first company

    @needs:fresh @choice:response-names=camel
    Scenario: The first of two companies
      Given a company
      And another company
      When the partner asks for the default company's status
      Then the answer's CompanyId is "the company's id"
      And the answer's Status is "Verified"

    @needs:fresh
    Scenario: No company yet
      When the partner asks for the default company's status
      Then the service refuses it as unknown

    @needs:fresh @choice:response-names=camel
    Scenario Outline: The company named by <member>
      Given a company
      And another company
      When the partner asks for the default company's status with <member> "<value>"
      Then the answer's CompanyId is "the other company's id"
      And the call is accepted without advice

      Examples:
        | member             | value                         |
        | companyId          | the other company's id        |
        | companyReferenceId | the other company's reference |

  @clause:company.status.pascal
  Rule: The status without a name answers CompanyId and Status, so written

    @needs:fresh @choice:extra-response-fields=none
    Scenario: Two members, capitals first
      Given a company
      When the partner asks for the default company's status
      Then the answer has exactly the members:
        | CompanyId | id   |
        | Status    | text |

  @clause:company.kyb.start
  Rule: In rehearsal a new company is Unverified

    @needs:control @choice:company-path-ref=either @choice:kyb-rehearsal=seeded
    Scenario: A company begins Unverified
      Given an integration in environment "rehearsal"
      When the partner registers a company
      Then the company is "Unverified"

  @clause:company.kyb.verified
  Rule: A verification ends within 24 hours, and the company becomes Verified

    @needs:control @choice:company-path-ref=either
    Scenario: A day later
      Given an integration in environment "rehearsal"
      And a company
      When 24 hours pass
      Then the company is "Verified"

    @needs:control @choice:company-path-ref=either @choice:kyb-rehearsal=seeded
    Scenario: The slowest verification takes the whole day
      Given an integration in environment "rehearsal"
      And a company with name "KYB SLOW Gym"
      When 23 hours pass
      Then the company is "Unverified"

    @needs:control @choice:company-path-ref=either
    Scenario: The slowest verification ends with the day
      Given an integration in environment "rehearsal"
      And a company with name "KYB SLOW Gym"
      When 24 hours pass
      Then the company is "Verified"

    @needs:control @choice:company-path-ref=either @choice:kyb-rehearsal=seeded
    Scenario: It can be decided earlier
      Given an integration in environment "rehearsal"
      And a company
      When the verification ends as "verified"
      Then the company is "Verified"

  @clause:company.kyb.rejected
  Rule: A verification that fails makes the company Rejected

    @needs:control @choice:company-path-ref=either
    Scenario: By the company's name
      Given an integration in environment "rehearsal"
      And a company with name "KYB REJECT Gym"
      When 24 hours pass
      Then the company is "Rejected"

    @needs:control @choice:company-path-ref=either @choice:kyb-rehearsal=seeded
    Scenario: By decision
      Given an integration in environment "rehearsal"
      And a company
      When the verification ends as "rejected"
      Then the company is "Rejected"

  @clause:company.kyb.final
  Rule: A verification ends once

    @needs:control @choice:company-path-ref=either @choice:kyb-rehearsal=seeded
    Scenario Outline: <outcome> is final
      Given an integration in environment "rehearsal"
      And a company
      When the verification ends as "<outcome>"
      Then the verification cannot end again
      And the company is "<status>"

      Examples:
        | outcome  | status   |
        | verified | Verified |
        | rejected | Rejected |

  @clause:company.bank-link.mail
  Rule: After verification one e-mail with the bank link and the portal link goes to the company

    @needs:control
    Scenario: The mail of a verified company
      When the partner registers a company
      Then the message "company-verified" goes out by email to "office@hillside-fitness.example.com"
      And the message "company-verified" holds "link, portal"

    @needs:control @choice:kyb-rehearsal=seeded
    Scenario: No mail before the verification has ended
      Given an integration in environment "rehearsal"
      When the partner registers a company
      Then no message "company-verified" goes out by email

    @needs:control @choice:kyb-rehearsal=seeded
    Scenario: No mail for a rejected company
      Given an integration in environment "rehearsal"
      And a company
      When the verification ends as "rejected"
      Then no message "company-verified" goes out by email

    @needs:control
    Scenario: What the message says
      Given a company
      When 1 minute passes
      Then the message "company-verified" gives the company as "Hillside Fitness"
      And the message "company-verified" holds "link, portal"

  @clause:company.bank-link.account
  Rule: A company that has connected its bank is paid to that account

    @needs:control @choice:null-or-absent=null
    Scenario: Before
      Given a payment that is "Pending"
      When the partner asks for the transaction report
      Then the answer's transactions[0].recipientAccount is null

    @needs:control @choice:account-mask=asterisk
    Scenario: After
      Given a payment that is "Pending"
      And the company links its bank
      When the partner asks for the transaction report
      Then the answer's transactions[0].recipientAccount is "*1111"
