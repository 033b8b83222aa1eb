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

    @needs:control @choice:kyb-sandbox=event
    Scenario: What the sandbox shows of a company
      When the partner registers a company
      Then the sandbox shows "the company" as:
        """
        {"kind":"company","id":"{company}","machine":"company","status":"Verified","summary":"Hillside Fitness","amount":null,"created":"2026-03-02T17:00:00Z","changed":"2026-03-02T17:00:00Z","relations":[],
        "console":"/console/{integration}/entities/{company}","facts":[{"name":"companyReferenceId","value":"loc-001"},
        {"name":"emailAddress","value":"office@hillside-fitness.example.com"},{"name":"contactNumber","value":"+12135550100"},
        {"name":"city","value":"Los Angeles"},{"name":"state","value":"CA"},{"name":"bankConnected","value":"false"}],
        "page":null,"visited":[{"seq":3,"cause":2,"at":"2026-03-02T17:00:00Z","event":"create","from":"","to":"Unverified","reason":""},
        {"seq":4,"cause":2,"at":"2026-03-02T17:00:00Z","event":"verify","from":"Unverified","to":"Verified","reason":"environment sandbox verifies every company"}],
        "moves":[],
        "related":[{"kind":"location","id":"{location}","machine":"","status":"","summary":"Hillside Downtown","amount":null,"created":null,"changed":null,"relations":[{"relation":"company","kind":"company","id":"{company}"}],
        "console":"/console/{integration}/entities/{location}"}],"deliveries":[],
        "messages":[{"seq":6,"at":"2026-03-02T17:00:00Z","channel":"email","to":"office@hillside-fitness.example.com","template":"company-verified","entity":"{company}","subject":"Hillside Fitness has been verified","text":"Hillside Fitness has been verified and can receive payments once its bank account is linked. The link for the bank account works once.\n\nLink the bank account:\n{service}/pages/{integration}/bank-link/{id}\n\nOpen the portal:\n{service}/pages/{integration}/portal/{company}\n","html":"<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>Hillside Fitness has been verified</title></head>\n<body>\n<p>Hillside Fitness has been verified and can receive payments once its bank account is linked. The link for the bank account works once.</p>\n<p><a href=\"{service}/pages/{integration}/bank-link/{id}\">Link the bank account</a></p>\n<p><a href=\"{service}/pages/{integration}/portal/{company}\">Open the portal</a></p><p>This is a message of a test system. No money moves.</p>\n</body>\n</html>\n","links":["{service}/pages/{integration}/bank-link/{id}","{service}/pages/{integration}/portal/{company}"],
        "codes":[],"bounced":false}],"entries":[2,3,4,5,6],"omitted":0,"gap":null}
        """

    @needs:control
    Scenario: Its clock stands
      When the partner registers a company
      Then the sandbox shows "the clock" as:
        """
        {"mode":"manual","now":"2026-03-02T17:00:00Z","next":null}
        """

    @needs:control
    Scenario: All that has its name
      Given a company
      When the partner requests a payment
      Then the sandbox shows "what is called Hillside" as:
        """
        {"entities":[{"kind":"company","id":"{company}","machine":"company","status":"Verified","summary":"Hillside Fitness","amount":null,"created":"2026-03-02T17:00:00Z","changed":"2026-03-02T17:00:00Z","relations":[],
        "console":"/console/{integration}/entities/{company}"},
        {"kind":"location","id":"{location}","machine":"","status":"","summary":"Hillside Downtown","amount":null,"created":null,"changed":null,"relations":[{"relation":"company","kind":"company","id":"{company}"}],
        "console":"/console/{integration}/entities/{location}"}],"next":"registration.2","searched":2,"total":4,"kinds":[{"kind":"company","total":1},
        {"kind":"location","total":1},{"kind":"registration","total":1},{"kind":"payment","total":1},{"kind":"card-authorisation","total":0},
        {"kind":"saved-card","total":0},{"kind":"refund","total":0},{"kind":"debit-authorisation","total":0},{"kind":"plan","total":0},
        {"kind":"consent","total":0},{"kind":"card-payment","total":0}]}
        """

    @needs:control
    Scenario: Nothing has another name
      When the partner registers a company
      Then the sandbox shows "nothing of the name" as:
        """
        {"entities":[],"next":null,"searched":2,"total":2,"kinds":[{"kind":"company","total":1},{"kind":"location","total":1},
        {"kind":"registration","total":0},{"kind":"payment","total":0},{"kind":"card-authorisation","total":0},{"kind":"saved-card","total":0},
        {"kind":"refund","total":0},{"kind":"debit-authorisation","total":0},{"kind":"plan","total":0},{"kind":"consent","total":0},
        {"kind":"card-payment","total":0}]}
        """

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

    @needs:control
    Scenario: No kind, no table
      Given a company
      When the partner asks for the status of an unknown company
      Then the sandbox shows "no kind" as:
        """
        {"type":"urn:paysandbox:problem:invalid-request","title":"The request breaks one or more rules","status":400,"detail":"the call was refused: 1 problem found, nothing was changed","instance":"/_sandbox/integrations/{integration}/entities","traceId":"","errors":{"query:kind":["expected one of company, location, registration, payment, card-authorisation, saved-card, refund, debit-authorisation, plan, consent, card-payment; nearest: company"]},
        "findings":[{"pointer":"query:kind","clause":"control.query","source":"assumed","received":"\"colour\"","expected":"one of company, location, registration, payment, card-authorisation, saved-card, refund, debit-authorisation, plan, consent, card-payment","fix":"nearest: company","advisory":false}]}
        """

    @needs:control @choice:kyb-sandbox=event
    Scenario: No entry
      Given a company
      When the partner asks for the status of an unknown company
      Then the sandbox shows "no entry" as:
        """
        {"type":"urn:paysandbox:problem:not-found","title":"There is no such thing","status":404,"detail":"the tape has no entry 999999 yet; the newest is 7","instance":"/_sandbox/integrations/{integration}/entries/999999","traceId":"","errors":{},
        "findings":[]}
        """

    @needs:control
    Scenario: No span of time
      Given a company
      When the partner asks for the status of an unknown company
      Then the sandbox shows "no time" as:
        """
        {"type":"urn:paysandbox:problem:invalid-request","title":"The request breaks one or more rules","status":400,"detail":"the call was refused: 1 problem found, nothing was changed","instance":"/_sandbox/integrations/{integration}/clock/preview","traceId":"","errors":{"by":["expected a duration of at most 292 years with units d, h, m, s, ms; send for example 24h, 3d, 1d12h or 90s"]},
        "findings":[{"pointer":"/by","clause":"control.clock.by","source":"assumed","received":"\"soon\"","expected":"a duration of at most 292 years with units d, h, m, s, ms","fix":"send for example 24h, 3d, 1d12h or 90s","advisory":false}]}
        """

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
    Scenario: One that fails does so too when the sandbox goes back
      Given an integration in environment "rehearsal"
      And a company with name "KYB REJECT Gym"
      And the sandbox is saved
      And the sandbox goes back to what was saved
      When 24 hours pass
      Then the company is "Rejected"

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
