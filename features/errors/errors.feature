@area:errors
Feature: The service explains what it refuses

  @clause:error.status
  Rule: What succeeds is answered with 200

    @needs:control
    Scenario Outline: <deed>
      Given a payment that is "Paid"
      When the partner <deed>
      Then the answer has the status 200

      Examples:
        | deed                          |
        | lists the companies           |
        | registers a payer             |
        | requests a payment            |
        | refunds the payment           |
        | registers a terminal payment  |
        | asks for the payment's status |

    Scenario: A caller's own id of a call comes back
      Given the header "X-Request-Id" is "order-42 (again)"
      When the client sends "GET /Company/List"
      Then the answer's header "X-Request-Id" is "order-42 (again)"

    Scenario Outline: An id that no header should hold does not come back: <id>
      Given the header "X-Request-Id" is "<id>"
      When the client sends "GET /Company/List"
      Then the answer has no header "X-Request-Id"

      Examples:
        | id        |
        | one,two   |
        | für-heute |

  @clause:error.body
  Rule: A refusal is told in problem details

    Scenario Outline: <what>
      Given a company
      When the client sends "<call>"
      Then the answer has the status <status>
      And the refusal is told in problem details

      Examples:
        | what             | call                    | status |
        | An unknown path  | GET /Nothing            | 404    |
        | A wrong method   | DELETE /Company/Create  | 405    |
        | An empty body    | POST /Company/Create    | 400    |
        | An unknown thing | GET /Company/x-9/Status | 404    |

    @choice:error-body=problem-details
    Scenario Outline: What is not there is told: <thing>
      When the client sends "<call>"
      Then the service refuses it as unknown
      And the refusal speaks of "<thing>"

      Examples:
        | thing           | call                                      |
        | company         | GET /Company/x-9/Status                   |
        | company         | GET /Company/x-9/Locations                |
        | registration    | GET /User/{unknown}/Status                |
        | payment request | GET /Payment/{unknown}/Status             |
        | payment request | PUT /Payment/{unknown}/Cancel             |
        | payment request | GET /Transaction/PaymentRequest/{unknown} |
        | payment plan    | GET /PaymentPlan/{unknown}                |
        | payment plan    | PUT /PaymentPlan/{unknown}/Pause          |
        | consent         | GET /Consent/{unknown}                    |

    @choice:error-body=problem-details @choice:debit-auth-read=on
    Scenario: Whose debit authorisation is not there is told
      When the client sends "GET /User/{unknown}/DebitAuth"
      Then the service refuses it as unknown
      And the refusal speaks of "registration"

    @needs:control @choice:response-names=camel
    Scenario: What went wrong can be looked up
      Given a company
      And the partner asks for the company's status
      When the partner registers a company with zipCode "1"
      Then the service refuses it as invalid
      And the answer stands on the tape at its number

    @needs:control
    Scenario Outline: A call that is made to fail with <status> says so
      Given the next call is met by the fault "<fault>"
      When the client sends "GET /Company/List"
      Then the answer has the status <status>
      And the refusal is told in problem details
      And the refusal speaks of "a fault answers this call, the operation was not carried out: header: <told>"
      And the answer's header "Retry-After" is "<wait>"

      Examples:
        | fault                     | told                       | status | wait |
        | status=503;retry-after=17 | status=503; retry-after=17 | 503    | 17   |
        | status=429                | status=429                 | 429    | 1    |
        | status=500                | status=500                 | 500    |      |

    @needs:control @choice:error-body=problem-details
    Scenario Outline: A fault whose value cannot be is refused: <fault>
      Given the next call is met by the fault "<fault>"
      When the client sends "POST /User/Register":
        """
        {"redirectUrl": "https://partner.example.com/back"}
        """
      Then the service refuses it as invalid
      And the refusal expects "<expected>", and to mend it "<fix>"

      Examples:
        | fault                        | expected                                                                                        | fix                              |
        | statis=503                   | one of status, retry-after, latency, slow-body, cut-connection, commit-then-drop, token-revoked | nearest: status                  |
        | status=399                   | status= and a status from 400 to 599                                                            | correct the value of status      |
        | status=600                   | status= and a status from 400 to 599                                                            | correct the value of status      |
        | status=+500                  | status= and a status from 400 to 599                                                            | correct the value of status      |
        | status=0500                  | status= and a status from 400 to 599                                                            | correct the value of status      |
        | status=5e2                   | status= and a status from 400 to 599                                                            | correct the value of status      |
        | status=-500                  | status= and a status from 400 to 599                                                            | correct the value of status      |
        | status=                      | status= and a status from 400 to 599                                                            | correct the value of status      |
        | status=503;retry-after=0     | retry-after= and whole seconds from 1 to 86400                                                  | correct the value of retry-after |
        | status=503;retry-after=86401 | retry-after= and whole seconds from 1 to 86400                                                  | correct the value of retry-after |
        | status=503;retry-after=1.5   | retry-after= and whole seconds from 1 to 86400                                                  | correct the value of retry-after |
        | status=503;retry-after=+1    | retry-after= and whole seconds from 1 to 86400                                                  | correct the value of retry-after |
        | retry-after=5                | retry-after beside a status                                                                     | add for example status=503       |
        | latency=2m                   | latency= and a duration such as 250ms or 2s, above 0 and at most 1m                             | correct the value of latency     |
        | latency=60001ms              | latency= and a duration such as 250ms or 2s, above 0 and at most 1m                             | correct the value of latency     |
        | latency=0s                   | latency= and a duration such as 250ms or 2s, above 0 and at most 1m                             | correct the value of latency     |
        | latency=-1s                  | latency= and a duration such as 250ms or 2s, above 0 and at most 1m                             | correct the value of latency     |
        | latency=soon                 | latency= and a duration such as 250ms or 2s, above 0 and at most 1m                             | correct the value of latency     |
        | latency=5                    | latency= and a duration such as 250ms or 2s, above 0 and at most 1m                             | correct the value of latency     |
        | status=500;status=501        | status once                                                                                     | leave one of them out            |

    @needs:control
    Scenario Outline: A fault that there is not is refused: <fault>
      Given the next call is met by the fault "<fault>"
      When the client sends "POST /User/Register":
        """
        {"redirectUrl": "https://partner.example.com/back"}
        """
      Then the service refuses it as invalid
      And the refusal explains each problem

      Examples:
        | fault                       |
        | status=500;commit-then-drop |
        | token-revoked=always        |
        | cut-connection=middle       |

    @needs:control
    Scenario: An armed fault meets one call of its operation
      Given the fault "{'status':502}" waits for "listCompanies"
      And a company
      And the partner lists the companies
      And the answer has the status 502
      When the partner lists the companies
      Then the answer lists 1 companies

    @needs:control
    Scenario Outline: A connection that breaks off: <fault>
      Given the next call is met by the fault "<fault>"
      When nothing is answered when the client sends "POST /User/Register":
        """
        {"redirectUrl": "https://partner.example.com/back"}
        """
      Then the tape tells of <n> registrations

      Examples:
        | fault                  | n |
        | cut-connection         | 0 |
        | cut-connection=headers | 1 |
        | cut-connection=body    | 1 |
        | commit-then-drop       | 1 |

    @needs:control
    Scenario Outline: A slow answer is whole: <fault>
      Given the next call is met by the fault "<fault>"
      When the client sends "POST /User/Register":
        """
        {"redirectUrl": "https://partner.example.com/back"}
        """
      Then the answer's registrationId is an id

      Examples:
        | fault           |
        | latency=20ms    |
        | slow-body=20ms  |

    @needs:control
    Scenario Outline: A refusal is titled by its kind: <title>
      Given the clock starts at "2026-05-06T07:08:09Z"
      And the header "Content-Type" is "<type>"
      When the client sends "<method> <path>":
        """
        <body>
        """
      Then the refusal is titled "<title>"

      Examples:
        | method | path             | type             | body               | title                                   |
        | POST   | /User/Register   | application/json | {}                 | The request breaks one or more rules    |
        | POST   | /User/Register   | application/json | {                  | The body cannot be read                 |
        | POST   | /User/Register   | text/plain       | {}                 | The body is of an unsupported media type |
        | POST   | /User/Registr    | application/json | {}                 | There is no such thing                  |
        | PATCH  | /User/Register   | application/json | {}                 | The path does not have this method      |

    @needs:control
    Scenario: The faults that were armed
      Given the fault "{'status':502,'retryAfter':7}" waits for "listCompanies"
      When the partner lists the companies
      Then the sandbox shows "the faults" as:
        """
        {"faults":[{"id":"fault-1","match":{"operation":"listCompanies","method":"","entity":"","nth":1},
        "effect":"status=502; retry-after=7","count":1,"remaining":0,"seen":1,"hits":1,"log":[{"exchange":3,"at":"2026-03-02T17:00:00Z"}]}]}
        """

    @needs:control
    Scenario: Nothing is kept unless somebody asks
      Given the sandbox is saved
      When the partner lists the companies
      Then the sandbox shows "the snapshots" as:
        """
        {"snapshots":[{"id":"before","name":"before","time":"2026-03-02T17:00:00Z","entry":0,"entities":0,"tapeEntries":0,"bytes":0}]}
        """

    @needs:control
    Scenario: Nobody who watches has had enough
      Given a company
      When the partner lists the companies
      Then the sandbox shows "enough" as:
        """
        {"enough":false,"waitsFor":[]}
        """

    @needs:control @choice:rate-limit=none
    Scenario: A fault waits for its call when the sandbox goes back
      Given a company
      And the fault "{'status':502}" waits for "createPayment"
      And the sandbox is saved
      And the sandbox goes back to what was saved
      When the partner requests a payment
      Then the answer has the status 502

  @clause:error.findings
  Rule: A refusal explains each problem: the field, the requirement, what is expected and how to mend it

    @choice:error-body=problem-details
    Scenario: A company with problems
      When the partner registers a company with:
        | zipCode   | 1  |
        | owner.ssn | 12 |
      Then the service refuses it as invalid
      And the refusal explains each problem

    @choice:error-body=problem-details
    Scenario: A payment with problems
      Given a company
      When the partner requests a payment with:
        | amount  | 0    |
        | dueDate | soon |
      Then the service refuses it as invalid
      And the refusal explains each problem

    @choice:error-body=problem-details
    Scenario Outline: What was received for <field>
      When the partner registers a company with <field> "<value>"
      Then the refusal shows "<shown>" as what was received for "<field>"

      Examples:
        | field     | value      | shown      |
        | zipCode   | 1          | 1          |
        | state     | California | California |
        | owner.ssn | 98765      | ••••       |
        | owner.ssn | nothing    |            |

    @choice:error-body=problem-details
    Scenario Outline: What was received is shown up to eighty letters, <n>
      When the client sends "POST /Payment/Create":
        """
        {"amount": "<value>"}
        """
      Then the refusal shows "<shown>" as what was received for "amount"

      Examples:
        | n  | value | shown |
        | 80 | CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC | CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC |
        | 81 | CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC | CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC… |

  @clause:error.secrets
  Rule: A refusal never repeats a secret

    @needs:control
    Scenario Outline: A wrong <member>
      When the partner registers a company with <member> "<value>"
      Then the answer never shows "<value>"
      And the tape never shows "<value>"

      Examples:
        | member    | value     |
        | owner.ssn | 987654321 |
        | owner.ssn | abcd-efgh |

    @needs:control
    Scenario Outline: A secret in an address as <name>
      When the client sends "GET /Company/List?<name>=a-guessed-word"
      Then the tape never shows "a-guessed-word"

      Examples:
        | name          |
        | clientSecret  |
        | client_secret |
        | accessToken   |

    @needs:control
    Scenario: An accepted secret is not on the tape either
      When the partner registers a company with:
        | owner.documentNumber | DOC-SECRET-77 |
        | taxId                | 98-7654321    |
      Then the tape never shows "DOC-SECRET-77"
      And the tape never shows "98-7654321"

  @clause:error.unknown-path
  Rule: A path that no operation has is unknown

    Scenario Outline: <path>
      When the client sends "GET <path>"
      Then the service refuses it as unknown

      Examples:
        | path             |
        | /Companies       |
        | /Company/List/x  |
        | /v1/Company/List |

    @choice:error-body=problem-details
    Scenario Outline: The nearest path to <path>
      When the client sends "GET <path>"
      Then the service refuses it as unknown
      And the refusal speaks of "<nearest>"

      Examples:
        | path             | nearest                                                                                |
        | /Company/Lst     | no operation has the path /Company/Lst; the nearest is GET /Company/List; /docs        |
        | /Consents/List   | no operation has the path /Consents/List; the nearest is GET /Consent/List; /docs      |
        | /Companies       | no operation has the path /Companies; the nearest is GET /Company/List; /docs          |
        | /Company/Listing | no operation has the path /Company/Listing; the nearest is GET /Company/List; /docs    |
        | /Company/List/x  | no operation has the path /Company/List/x; the nearest is GET /Company/List; /docs     |
        | /Paymnt/Creat    | no operation has the path /Paymnt/Creat; the nearest is POST /Payment/Create; /docs    |
        | /Foo             | no operation has the path /Foo; /docs                                                  |

  @clause:error.method
  Rule: A method that a path does not have is refused with those that it has

    @choice:cancel-verb=put-or-post
    Scenario Outline: <method> <path>
      When the client sends "<method> <path>"
      Then the service refuses it as a wrong method
      And the answer's header "Allow" is "<allow>"

      Examples:
        | method | path                       | allow           |
        | GET    | /Company/Create            | POST            |
        | POST   | /Company/List              | GET, HEAD       |
        | DELETE | /Payment/{unknown}/Cancel  | POST, PUT       |
        | PATCH  | /Payment/Create            | POST            |
        | PUT    | /Company/loc-001/Locations | GET, HEAD, POST |

  @clause:error.unknown-ids
  Rule: An id in a body that the integration does not have is an invalid field

    @needs:control
    Scenario: A foreign payer
      Given a company
      And a payer
      And another partner
      When the other partner requests a payment
      Then the service refuses it as invalid

  @clause:error.unchanged
  Rule: A refused payment leaves nothing behind

    @needs:fresh
    Scenario: It is not in the report
      Given a company
      And a payer
      And the partner requests a payment with amount "0"
      And the service refuses it as invalid
      When the partner asks for the transaction report
      Then the answer lists 0 transactions

  @clause:error.advice
  Rule: What breaks only a published or assumed rule is accepted with an advice

    Scenario: Every advice is named
      When the partner registers a company with:
        | name                | nothing |
        | streetNumberAndName | nothing |
      Then the answer's header "Sandbox-Warning" is "company.create.name /name, company.create.street /streetNumberAndName"

    Scenario: Accepted, with an advice
      When the partner registers a company with name "nothing"
      Then the call succeeds
      And the answer carries an advice

    @needs:control
    Scenario: A strict integration refuses it
      Given a strict integration
      When the partner registers a company with name "nothing"
      Then the service refuses it as invalid
