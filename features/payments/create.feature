@area:payments
Feature: A partner requests payments

  @clause:payment.create
  Rule: A payment request answers its id, the payer, the account's mask and the payer's page

    @needs:control @choice:account-mask=asterisk
    Scenario: From a registered payer
      Given a company
      And a registered payer
      When the partner requests a payment
      Then the call is accepted without advice
      And the answer's paymentRequestId is an id
      And the answer's registrationPersonId is "the payer's id"
      And the answer's accountMask is "*1111"
      And the answer's url is a web address

    @needs:control
    Scenario Outline: An id is random, of UUID version 4: <member>
      Given a company
      And a payer
      And a payment request
      When the partner <deed>
      Then the answer's <member> is a random id

      Examples:
        | deed                           | member           |
        | requests a payment             | paymentRequestId |
        | requests a payment             | registrationPersonId |
        | registers a payer              | registrationId   |
        | adds a location                | locationId       |
        | makes a plan                   | paymentPlanId    |
        | asks for a link token          | tokenId          |
        | asks for a card authorisation  | paymentRequestId |

    @choice:null-or-absent=null
    Scenario: From somebody who has not linked an account
      Given a company
      And a payer
      When the partner requests a payment
      Then the answer's accountMask is null

    Scenario: The payment waits for somebody who has not linked an account
      Given a company
      And a payer
      When the partner requests a payment
      Then the payment is "Pending"

    @needs:control
    Scenario: The payment is found again
      Given a company
      And a registered payer
      When the partner requests a payment
      Then the payment is "Pending"

    @needs:control @choice:account-mask=asterisk @choice:kyb-sandbox=event
    Scenario: The payer keeps the number that is known
      Given a company
      And a registered payer
      When the partner requests a payment with:
        | registrationId | nothing                  |
        | contactNumber  | +12025550199             |
        | emailAddress   | pat.lindgren@example.com |
      Then the sandbox shows "the payer" as:
        """
        {"kind":"registration","id":"{payer}","machine":"registration","status":"Registered","summary":"pat.lindgren@example.com","amount":null,"created":"2026-03-02T17:00:00Z","changed":"2026-03-02T17:00:00Z","relations":[],
        "console":"/console/{integration}/entities/{payer}","facts":[{"name":"emailAddress","value":"pat.lindgren@example.com"},
        {"name":"contactNumber","value":"+12025550123"},{"name":"purpose","value":"Monthly membership"},{"name":"accountMask","value":"*1111"}],
        "page":"{service}/pages/{integration}/register/{payer}","visited":[{"seq":8,"cause":7,"at":"2026-03-02T17:00:00Z","event":"create","from":"","to":"Pending","reason":""},
        {"seq":12,"cause":11,"at":"2026-03-02T17:00:00Z","event":"complete","from":"Pending","to":"Registered","reason":"the payer linked a bank and passed the identity check"}],
        "moves":[{"event":"relink","to":"Registered","method":"POST","path":"/_sandbox/integrations/{integration}/registrations/{payer}/relink","body":"{\"persona\":\"good\"}"}],
        "related":[{"kind":"payment","id":"{payment}","machine":"payment","status":"Pending","summary":"$50.00 from pat.lindgren@example.com to Hillside Fitness: Membership, October","amount":5000,"created":"2026-03-02T17:00:00Z","changed":"2026-03-02T17:00:00Z","relations":[{"relation":"company","kind":"company","id":"{company}"},
        {"relation":"payer","kind":"registration","id":"{payer}"},{"relation":"location","kind":"location","id":"{location}"}],
        "console":"/console/{integration}/entities/{payment}"}],"deliveries":[],
        "messages":[{"seq":9,"at":"2026-03-02T17:00:00Z","channel":"sms","to":"+12025550123","template":"registration","entity":"{payer}","subject":"","text":"You are invited to link your bank account for: Monthly membership.\n\nLink your bank account:\n{service}/pages/{integration}/register/{payer}\n","html":"","links":["{service}/pages/{integration}/register/{payer}"],
        "codes":[],"bounced":false},
        {"seq":10,"at":"2026-03-02T17:00:00Z","channel":"email","to":"pat.lindgren@example.com","template":"registration","entity":"{payer}","subject":"Link your bank account","text":"You are invited to link your bank account for: Monthly membership.\n\nLink your bank account:\n{service}/pages/{integration}/register/{payer}\n","html":"<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>Link your bank account</title></head>\n<body>\n<p>You are invited to link your bank account for: Monthly membership.</p>\n<p><a href=\"{service}/pages/{integration}/register/{payer}\">Link your bank account</a></p><p>This is a message of a test system. No money moves.</p>\n</body>\n</html>\n","links":["{service}/pages/{integration}/register/{payer}"],
        "codes":[],"bounced":false}],"entries":[7,8,9,10,11,12],"omitted":0,"gap":null}
        """

  @clause:payment.create.message
  Rule: The payer gets the link by every contact that the request names

    @needs:control
    Scenario: By text message and e-mail
      Given a company
      And a registered payer
      When the partner requests a payment
      Then the message "payment-request" goes out by sms to "+12025550123"
      And the message "payment-request" goes out by email to "pat.lindgren@example.com"
      And the message "payment-request" holds "link, amount, company"

    @needs:control
    Scenario: What the message says
      Given a company
      And a registered payer
      When the partner requests a payment with amount "123456"
      Then the message "payment-request" gives the amount as "$1,234.56"
      And the message "payment-request" gives the company as "Hillside Fitness"
      And the message "payment-request" gives the purpose as "Membership, October"
      And the message "payment-request" gives the link as "{payment page}"
      And the message "payment-request" reads "Hillside Fitness asks you to pay $1,234.56 for: Membership, October."

    @needs:control
    Scenario: Whom the request does not name is told by the contacts of the registration
      Given a company
      And a registered payer
      When the partner requests a payment with:
        | contactNumber | nothing |
        | emailAddress  | nothing |
      Then the message "payment-request" goes out by sms to "+12025550123"
      And the message "payment-request" goes out by email to "pat.lindgren@example.com"

    @needs:control
    Scenario: The request's own contacts come first
      Given a company
      And a registered payer
      When the partner requests a payment with emailAddress "other@example.com"
      Then the message "payment-request" goes out by email to "other@example.com"

  @clause:payment.create.amount
  Rule: A payment has an amount

    Scenario Outline: amount as "<value>" is refused
      Given a company
      And a payer
      When the partner requests a payment with amount "<value>"
      Then the call is refused because of "amount"

      Examples:
        | value   |
        | nothing |
        | null    |

  @clause:payment.create.amount-range
  Rule: A payment's amount is at least one cent

    Scenario Outline: amount as "<value>" is refused
      Given a company
      And a payer
      When the partner requests a payment with amount "<value>"
      Then the call is refused because of "amount"

      Examples:
        | value                |
        | 0                    |
        | -1                   |
        | -5000                |
        | -9223372036854775808 |

    Scenario Outline: amount as "<value>" is accepted
      Given a company
      And a payer
      And the partner requests a payment with amount "<value>"
      When the partner asks for the payment's status
      Then the answer's amount.value is "<value>"

      Examples:
        | value               |
        | 1                   |
        | 5000                |
        | 2147483647          |
        | 2147483648          |
        | 9223372036854775807 |

  @clause:payment.create.target
  Rule: A payment names its payer by registration, contact number or e-mail address

    Scenario: Nobody is named
      Given a company
      When the partner requests a payment with:
        | registrationId | nothing |
        | contactNumber  | nothing |
        | emailAddress   | nothing |
      Then the call is refused because of "$"

    Scenario Outline: <member> alone is enough
      Given a company
      When the partner requests a payment with:
        | contactNumber | nothing |
        | emailAddress  | nothing |
        | <member>      | <value> |
      Then the call succeeds
      And the answer's registrationPersonId is an id

      Examples:
        | member        | value          |
        | contactNumber | +12025550188   |
        | emailAddress  | jo@example.com |

    Scenario: The same contact is the same payer
      Given a company
      And the partner requests a payment with:
        | contactNumber | +12025550109 |
        | emailAddress  | nothing      |
      When the partner requests a payment with:
        | contactNumber | +12025550109 |
        | emailAddress  | nothing      |
      Then the answers agree in registrationPersonId

    @needs:control @choice:rate-limit=none
    Scenario Outline: The same <member> is the same payer when the sandbox goes back
      Given a company
      And the partner requests a payment with:
        | contactNumber | nothing |
        | emailAddress  | nothing |
        | <member>      | <value> |
      And the sandbox is saved
      And the sandbox goes back to what was saved
      When the partner requests a payment with:
        | contactNumber | nothing |
        | emailAddress  | nothing |
        | <member>      | <value> |
      Then the answers agree in registrationPersonId

      Examples:
        | member        | value          |
        | contactNumber | +12025550188   |
        | emailAddress  | jo@example.com |

  @clause:payment.create.registration-id
  Rule: A payer is named by a uuid

    Scenario Outline: registrationId as "<value>" is refused
      Given a company
      And a payer
      When the partner requests a payment with registrationId "<value>"
      Then the call is refused because of "registrationId"

      Examples:
        | value                   |
        | pat                     |
        | 42                      |
        | 0f0c4a53-9d3e-4f1f-8e9d |

    @needs:control @choice:error-body=problem-details
    Scenario: A uuid of zeros alone is a default that was never set
      Given the clock starts at "2026-05-06T07:08:09Z"
      And a company
      When the partner requests a payment with registrationId "00000000-0000-0000-0000-000000000000"
      Then the service refuses it as invalid
      And the finding about "registrationId" says "never set"

  @clause:payment.create.registration-id-known
  Rule: A payer who is named is one of the integration's

    Scenario: registrationId as "an unknown id" is refused
      Given a company
      And a payer
      When the partner requests a payment with registrationId "an unknown id"
      Then the call is refused because of "registrationId"

  @clause:payment.create.contact-number
  Rule: A payer's contact number is a valid phone number

    Scenario Outline: contactNumber as "<value>" is refused
      Given a company
      And a payer
      When the partner requests a payment with contactNumber "<value>"
      Then the call is refused because of "contactNumber"

      Examples:
        | value   |
        | 12      |
        | call me |

    @needs:control
    Scenario Outline: contactNumber as "<value>" is accepted
      Given a company
      When the partner requests a payment with contactNumber "<value>"
      Then the message "payment-request" goes out by sms to "<number>"

      Examples:
        | value         | number        |
        | +12025550188  | +12025550188  |
        | 2025550188    | +12025550188  |
        | +442079460958 | +442079460958 |

  @clause:payment.create.contact-number-form
  Rule: A payer's contact number is in international format

    Scenario Outline: contactNumber as "<value>" is accepted with an advice
      Given a company
      When the partner requests a payment with contactNumber "<value>"
      Then the call is accepted with an advice about "contactNumber"

      Examples:
        | value                |
        | 2025550188           |
        | (202) 555-0188       |
        | +1 202-555-0188 x5   |
        | +12025550188 ext. 12 |

    Scenario Outline: contactNumber as "<value>" needs no advice
      Given a company
      When the partner requests a payment with contactNumber "<value>"
      Then the call is accepted without advice

      Examples:
        | value            |
        | +12025550188     |
        | +1 202-555-0188  |
        | +44 20 7946 0958 |

    @needs:control
    Scenario: A strict integration refuses contactNumber as "2025550188"
      Given a strict integration
      And a company
      When the partner requests a payment with contactNumber "2025550188"
      Then the call is refused because of "contactNumber"

  @clause:payment.create.email
  Rule: A payer's e-mail address is valid

    Scenario Outline: emailAddress as "<value>" is refused
      Given a company
      And a payer
      When the partner requests a payment with emailAddress "<value>"
      Then the call is refused because of "emailAddress"

      Examples:
        | value       |
        | pat         |
        | pat@example |

  @clause:payment.create.fee-payer
  Rule: The fee is borne by the client, the partner, or whom the payer chooses

    Scenario Outline: feePayer as "<value>" needs no advice
      Given a company
      And a payer
      When the partner requests a payment with feePayer "<value>"
      Then the call is accepted without advice

      Examples:
        | value   |
        | client  |
        | partner |
        | ask     |
        | nothing |
        | null    |

    Scenario Outline: feePayer as "<value>" is accepted with an advice
      Given a company
      And a payer
      When the partner requests a payment with feePayer "<value>"
      Then the call is accepted with an advice about "feePayer"

      Examples:
        | value  |
        | payer  |
        | nobody |
        | aſk    |

    @needs:control
    Scenario: A strict integration refuses feePayer as "payer"
      Given a strict integration
      And a company
      And a payer
      When the partner requests a payment with feePayer "payer"
      Then the call is refused because of "feePayer"

  @clause:payment.create.due-date
  Rule: A due date is a day of the calendar

    Scenario Outline: dueDate as "<value>" is refused
      Given a company
      And a payer
      When the partner requests a payment with dueDate "<value>"
      Then the call is refused because of "dueDate"

      Examples:
        | value                |
        | 31.03.2026           |
        | 2026-3-1             |
        | 2026-02-29           |
        | 2026-02-30           |
        | 2026-13-01           |
        | 1799-12-31           |
        | tomorrow morning     |
        | 2026-03-31T00:00:00Z |
        | 2200-01-01           |

    Scenario Outline: dueDate as "<value>" needs no advice
      Given a company
      And a payer
      When the partner requests a payment with dueDate "<value>"
      Then the call is accepted without advice

      Examples:
        | value      |
        | today      |
        | tomorrow   |
        | 2028-02-29 |
        | nothing    |
        | null       |

  @clause:payment.create.due-date-past
  Rule: A due date should not have passed

    Scenario Outline: dueDate as "<value>" is accepted with an advice
      Given a company
      And a payer
      When the partner requests a payment with dueDate "<value>"
      Then the call is accepted with an advice about "dueDate"

      Examples:
        | value      |
        | yesterday  |
        | 2020-01-01 |
        | 1800-01-01 |

    @needs:control
    Scenario: A strict integration refuses dueDate as "yesterday"
      Given a strict integration
      And a company
      And a payer
      When the partner requests a payment with dueDate "yesterday"
      Then the call is refused because of "dueDate"

  @clause:payment.create.return-url
  Rule: The return address is one that a browser can be sent to

    Scenario Outline: returnUrl as "<value>" is refused
      Given a company
      And a payer
      When the partner requests a payment with returnUrl "<value>"
      Then the call is refused because of "returnUrl"

      Examples:
        | value               |
        | paid                |
        | /paid               |
        | ftp://example.com/x |
        | a web address of 2049 letters    |
        | an app's address of 2049 letters |

    Scenario Outline: returnUrl as "<value>" needs no advice
      Given a company
      And a payer
      When the partner requests a payment with returnUrl "<value>"
      Then the call is accepted without advice

      Examples:
        | value                            |
        | https://partner.example.com/paid |
        | a web address of 2048 letters    |
        | an app's address of 2048 letters |
        | nothing                          |
        | null                             |
