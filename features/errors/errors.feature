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

    @needs:control @drawn
    Scenario Outline: Calls that nobody thought of, <number>: <state>
      Given <where>
      And a company
      And a registered payer
      And <state>
      And a webhook receiver
      When 150 calls are drawn by <number>
      Then no answer is a mistake of the service's own

      Examples:
        | where                                      | state                                     | number |
        | an integration in environment "sandbox"    | a plan                                    | 1      |
        | an integration in environment "rehearsal" | a payment that is "Paid"                  | 2      |
        | a strict integration                       | a plan that is "Active"                   | 3      |
        | an integration in environment "sandbox"    | a saved card "approved"                   | 4      |
        | an integration in environment "rehearsal" | a refund that is "Accepted"               | 5      |
        | an integration in environment "sandbox"    | a card authorisation that is "Challenged" | 6      |
        | an integration in environment "rehearsal" | a terminal payment that is "Pending"      | 7      |
        | a strict integration                       | a debit authorisation that is "Pending"   | 8      |
        | an integration in environment "sandbox"    | a consent that is "Pending"               | 9      |
        | an integration in environment "rehearsal" | a payment that is "Processing"            | 10     |
        | an integration in environment "sandbox"    | another registered payer                  | 11     |
        | an integration in environment "rehearsal" | a payment that is "Failed"                | 12     |
        | a strict integration                       | a plan                                    | 13     |
        | an integration in environment "sandbox"    | a payment that is "Paid"                  | 14     |
        | an integration in environment "rehearsal" | a plan that is "Active"                   | 15     |
        | an integration in environment "sandbox"    | a saved card "approved"                   | 16     |
        | an integration in environment "rehearsal" | a refund that is "Accepted"               | 17     |
        | a strict integration                       | a card authorisation that is "Challenged" | 18     |
        | an integration in environment "sandbox"    | a terminal payment that is "Pending"      | 19     |
        | an integration in environment "rehearsal" | a debit authorisation that is "Pending"   | 20     |
        | an integration in environment "sandbox"    | a consent that is "Pending"               | 21     |
        | an integration in environment "rehearsal" | a payment that is "Processing"            | 22     |
        | a strict integration                       | another registered payer                  | 23     |
        | an integration in environment "sandbox"    | a payment that is "Failed"                | 24     |
        | an integration in environment "rehearsal" | a plan                                    | 25     |
        | an integration in environment "sandbox"    | a payment that is "Paid"                  | 26     |
        | an integration in environment "rehearsal" | a plan that is "Active"                   | 27     |
        | a strict integration                       | a saved card "approved"                   | 28     |
        | an integration in environment "sandbox"    | a refund that is "Accepted"               | 29     |
        | an integration in environment "rehearsal" | a card authorisation that is "Challenged" | 30     |

    @needs:control @drawn
    Scenario Outline: Calls that nobody thought of beside a tape that forgets, <number>
      Given an integration in environment "<environment>"
      And a tape of 100 entries
      And a company
      And a registered payer
      And a payment that is "Paid"
      When 100 calls are drawn by <number>
      Then no answer is a mistake of the service's own

      Examples:
        | environment | number |
        | sandbox     | 31     |
        | rehearsal   | 32     |
        | sandbox     | 33     |
        | rehearsal   | 34     |

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

    @needs:control
    Scenario: A message is found by the number that it went to
      Given a company
      And the partner requests a payment with contactNumber "+12025550142"
      When the tester calls "GET /messages?to=+12025550142"
      Then the answer's messages[0].to is "+12025550142"

    @needs:control @choice:account-mask=asterisk @choice:event-order=causal
    Scenario Outline: What the control API answers to whoever tests: <call> <body>: <member>
      Given a payment that is "Processing"
      And a webhook receiver
      When the tester calls "<call>" with "<body>"
      Then the answer's <member> is "<value>"

      Examples:
        | call                                         | body                                                                                                                                       | member                        | value                                           |
        | GET /openapi.json                            |                                                                                                                                            | openapi                       | 3.1.0                                           |
        | GET /_sandbox/openapi.json                   |                                                                                                                                            | openapi                       | 3.1.0                                           |
        | GET /_sandbox/ready                          |                                                                                                                                            | status                        | ready                                           |
        | GET /_sandbox/machines                       |                                                                                                                                            | machines[0].name              | company                                         |
        | GET /_sandbox/machines                       |                                                                                                                                            | machines[0].final[1]          | Rejected                                        |
        | GET /_sandbox/machines                       |                                                                                                                                            | machines[3].moves[2].by       | /_sandbox/integrations/{i}/cards/{id}/authorise |
        | GET /search?operation=createPayment          |                                                                                                                                            | entries[0].exchange.operation | createPayment                                   |
        | GET /search?route=createPayment              |                                                                                                                                            | entries[0].exchange.path      | /Payment/Create                                 |
        | GET /search?entity={payment}&kind=transition |                                                                                                                                            | entries[0].transition.machine | payment                                         |
        | GET /entities?kind=payment&status=Processing |                                                                                                                                            | total                         | 1                                               |
        | GET /entities?limit=2                        |                                                                                                                                            | next                          | registration.2                                  |
        | GET /entities?limit=2&after=registration.1   |                                                                                                                                            | entities[0].kind              | payment                                         |
        | GET /entities?q={payment}                    |                                                                                                                                            | entities[0].kind              | payment                                         |
        | GET /coverage                                |                                                                                                                                            | parts[4].total                | 2                                               |
        | GET /coverage?label=nobody                   |                                                                                                                                            | parts[0].seen                 | 0                                               |
        | GET /                                        |                                                                                                                                            | environment                   | sandbox                                         |
        | POST /clock/advance                          | {'by':'1d2h30m'}                                                                                                                           | now                           | 2026-03-03T19:30:00Z                            |
        | POST /clock/advance                          | {'to':'2026-03-09T00:00:00Z'}                                                                                                              | from                          | 2026-03-02T17:00:00Z                            |
        | POST /faults                                 | {'name':'one','match':{'operation':'listPlans','method':'GET','nth':2},'effect':{'latency':'5ms','slowBody':'7ms'},'count':0}              | effect                        | latency=5ms; slow-body=7ms                      |
        | POST /faults                                 | {'effect':{'cutConnection':'headers'}}                                                                                                     | effect                        | cut-connection=headers                          |
        | POST /faults                                 | {'effect':{'commitThenDrop':true}}                                                                                                         | effect                        | commit-then-drop                                |
        | POST /faults                                 | {'effect':{'status':503},'for':'1d'}                                                                                                       | until                         | 2026-03-03T17:00:00Z                            |
        | POST /faults                                 | {'effect':{'status':503},'for':'1h30m','count':7}                                                                                          | secondsLeft                   | 5400                                            |
        | POST /faults                                 | {'effect':{'status':503},'for':'366d'}                                                                                                     | count                         | 0                                               |
        | POST /faults                                 | {'effect':{'tokenRevoked':'token'}}                                                                                                        | effect                        | token-revoked=token                             |
        | POST /snapshots                              | {}                                                                                                                                         | id                            | snapshot-1                                      |
        | POST /webhooks                               | {'url':'http://127.0.0.1:1/x','events':['PAYMENT_STATUS_CHANGED'],'profile':'duplicate,delay'}                                             | profile                       | duplicate,delay                                 |
        | POST /webhooks/{webhook}/probe               |                                                                                                                                            | status                        | 204                                             |
        | POST /webhooks/{webhook}/profile             | {'profile':'delay','next':3,'forStatus':'Paid'}                                                                                            | next                          | 3                                               |
        | POST /webhooks/{webhook}/profile             | {'profile':'delay','next':3,'forStatus':'paid'}                                                                                            | forStatus                     | Paid                                            |
        | POST /webhooks/{webhook}/rotate-secret       | {'secret':'another'}                                                                                                                       | secret                        | another                                         |
        | POST /registrations/{payer}/relink           | {'persona':'slow'}                                                                                                                         | accountMask                   | *3333                                              |
        | POST /payments/{payment}/fail                | {'returnCode':'R01'}                                                                                                                       | status                        | Failed                                          |
        | POST /payment-methods                        | {'registrationId':'{payer}','card':'later-decline'}                                                                                        | last4                         | 0341                                            |
        | POST /reset                                  | {}                                                                                                                                         | entities                      | 0                                               |
        | POST /webhooks                               | {'url':'http://127.0.0.1:1/x'}                                                                                                             | status                        | Enabled                                         |
        | POST /webhooks/{webhook}/rotate-secret       | {}                                                                                                                                         | status                        | Enabled                                         |
        | POST /faults                                 | {'name':'a.b-c_9','effect':{'status':503}}                                                                                                 | id                            | a.b-c_9                                         |
        | POST /_sandbox/integrations                  | {'name':'one','environment':'rehearsal','strict':true,'clock':{'mode':'manual','start':'2030-01-01T00:00:00Z'},'latitude':{'live':'true'}} | clock.now                     | 2030-01-01T00:00:00Z                            |
        | POST /_sandbox/integrations                  | {'from':'{integration}','name':'two'}                                                                                                      | environment                   | sandbox                                         |

    @needs:control @choice:event-order=causal @choice:kyb-sandbox=event
    Scenario Outline: What the control API answers to whoever tests, by the tape: <call> <body>: <member>
      Given a payment that is "Processing"
      And a webhook receiver
      When the tester calls "<call>" with "<body>"
      Then the answer's <member> is "<value>"

      Examples:
        | call                                        | body                    | member                      | value            |
        | GET /search?q=Hillside&kind=message&limit=1 |                         | entries[0].message.template | company-verified |
        | GET /clock/due?limit=1                      |                         | total                       | 1                |
        | GET /entities?at=9                          |                         | total                       | 3                |
        | GET /entities/{payment}?at=14               |                         | status                      | Pending          |
        | GET /entries/14                             |                         | entry.transition.to         | Pending          |
        | GET /coverage                               |                         | parts[0].seen               | 4                |
        | GET /coverage                               |                         | parts[2].seen               | 7                |
        | GET /coverage                               |                         | parts[3].seen               | 7                |
        | GET /coverage                               |                         | parts[6].seen               | 50               |
        | POST /clock/advance                         | {'until':'next'}        | fired[0].kind               | timer            |

    @needs:control
    Scenario Outline: Whoever watches says whether it is enough: <note>
      Given the tester calls "POST /notes" with "{'kind':'trouble','text':'armed'}"
      And the tester calls "POST /notes" with "<note>"
      When the tester calls "GET /enough?wait=0s"
      Then the answer's enough is "<enough>"
      And the answer lists <for> waitsFor

      Examples:
        | note                                              | enough | for |
        | {'kind':'enough'}                                 | true   | 0   |
        | {'kind':'waits','data':{'for':['createPayment']}} | false  | 1   |
        | {'kind':'trouble'}                                | false  | 0   |

    @needs:control
    Scenario Outline: Whoever watches says so under a name, or to everybody: <noted>, <asked>
      Given the header "Sandbox-Label" is "<noted>"
      And the tester calls "POST /notes" with "{'kind':'enough'}"
      When the tester calls "GET /enough?wait=0s<asked>"
      Then the answer's enough is "<enough>"

      Examples:
        | noted | asked       | enough |
        | anna  | &label=anna | true   |
        | anna  | &label=otto | false  |
        | anna  |             | true   |
        |       | &label=otto | true   |

    @needs:control
    Scenario Outline: A fault meets nobody any more once it is taken back: <call>
      Given the tester calls "POST /faults" with "{'name':'out','effect':{'status':503}}"
      And the tester calls "<call>"
      When the partner lists the companies
      Then the answer has the status 200

      Examples:
        | call               |
        | DELETE /faults     |
        | DELETE /faults/out |
        | POST /reset        |

    @needs:control
    Scenario Outline: A fault meets the call that it names: <match>
      Given a payment that is "Pending"
      And the tester calls "POST /faults" with "{'effect':{'status':503,'retryAfter':9},'match':<match>}"
      When the partner asks for the payment's status
      Then the answer has the status <status>

      Examples:
        | match                                       | status |
        | {'method':'GET'}                            | 503    |
        | {'method':'PUT'}                            | 200    |
        | {'entity':'{payment}'}                      | 503    |
        | {'entity':'{company}'}                      | 200    |
        | {'operation':'getPaymentStatus','nth':1}    | 503    |
        | {'operation':'getPaymentStatus','nth':2}    | 200    |
        | {'operation':'cancelPayment'}               | 200    |

    @needs:control
    Scenario: A fault for what a call does not name leaves it alone
      Given a payment that is "Paid"
      And the tester calls "POST /faults" with "{'effect':{'status':503},'match':{'entity':'{payment}'}}"
      When the partner requests a payment
      Then the answer has the status 200

    @needs:control @choice:debit-auth-read=on @choice:refund-path=either
    Scenario Outline: A fault for what a call names in its <where>
      Given a payment that is "Paid"
      And the tester calls "POST /faults" with "{'effect':{'status':503},'match':{'entity':'{<of>}'}}"
      When the partner <deed>
      Then the answer has the status 503

      Examples:
        | where | of      | deed                                       |
        | body  | payer   | requests a payment                         |
        | query | company | reads the debit authorisation              |
        | query | payment | refunds the payment named in the query     |

    @needs:control
    Scenario: A snapshot that is forgotten is no more listed
      Given the tester calls "POST /snapshots" with "{'name':'one'}"
      And the tester calls "DELETE /snapshots/one"
      When the tester calls "GET /snapshots"
      Then the answer lists 0 snapshots

    @needs:control
    Scenario: What a fork goes on from
      Given a payment that is "Paid"
      And the tester calls "POST /snapshots" with "{'name':'one'}"
      When the tester calls "POST /snapshots/one/fork" with "{'name':'another'}"
      Then the answer's name is "another"
      And the answer's entities is "4"

    @needs:control
    Scenario: A token that is revoked opens nothing
      Given the partner holds a token
      And the tester calls "POST /tokens/revoke" with "{}"
      When the partner lists the companies
      Then the answer has the status 401

    @needs:control
    Scenario Outline: A reset leaves <list> empty
      Given a payment that is "Paid"
      And the tester calls "POST /reset"
      When the tester calls "GET <call>"
      Then the answer lists 0 <list>

      Examples:
        | call        | list       |
        | /entities   | entities   |
        | /messages   | messages   |
        | /deliveries | deliveries |
        | /faults     | faults     |
        | /search     | entries    |
        | /clock/due  | due        |

    @needs:control
    Scenario Outline: A caller's own name chooses what it is shown: <label>
      Given the header "Sandbox-Label" is "anna"
      And the client sends "GET /Company/List"
      When the tester calls "GET /search?label=<label>&kind=exchange&operation=listCompanies"
      Then the answer lists <total> entries

      Examples:
        | label | total |
        | anna  | 1     |
        | otto  | 0     |

    @needs:control
    Scenario: A trace is a name, too
      Given the header "traceparent" is "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
      And the client sends "GET /Company/List"
      When the tester calls "GET /search?label=4bf92f3577b34da6a3ce929d0e0e4736&operation=listCompanies"
      Then the answer lists 1 entries

    @needs:control
    Scenario Outline: A fault that asks for nothing, or for what cannot be: <fault>
      Given the partner sends the authorization ""
      And the next call is met by the fault "<fault>"
      When the client sends "POST /Authentication/Token":
        """
        {"clientId": "{client id}", "clientSecret": "{client secret}"}
        """
      Then the answer has the status <status>

      Examples:
        | fault                     | status |
        | none                      | 200    |
        | token-revoked             | 400    |
        | token-revoked=token       | 400    |
        | status=401                | 401    |
        | latency=1ms               | 200    |

    @needs:control @choice:unauthorised=problem-details
    Scenario: A call that is made to fail as unauthorised says how to come in
      Given the next call is met by the fault "status=401"
      When the client sends "GET /Company/List"
      Then the answer has the status 401
      And the answer's header "WWW-Authenticate" is "Bearer"

    @needs:control
    Scenario: The entities are told page by page
      Given a company
      And 12 terminal payments
      When the tester calls "GET /entities?kind=card-payment&limit=1"
      Then the answer's next is "card-payment.12"

    @needs:control
    Scenario: What somebody else leads to is found by the label
      Given a company
      And a payer
      And the header "Sandbox-Label" is "branch-7"
      And the client sends "POST /Payment/Create":
        """
        {"amount": 5000, "locationId": "{location}", "registrationId": "{payer}"}
        """
      When the tester calls "GET /search?label=branch-7&kind=transition"
      Then the answer's entries[0].transition.machine is "payment"

    @needs:control @choice:rate-limit=none
    Scenario: What is armed is the same when the sandbox goes back
      Given the fault "{'status':503}" meets "listCompanies" for 2 hours
      And the fault "{'commitThenDrop':true}" waits for "createPayment"
      And the fault "{'tokenRevoked':'token'}" waits for "registerUser"
      And the sandbox is saved
      And the sandbox goes back to what was saved
      When the tester calls "GET /faults"
      Then the answer lists 3 faults

    @needs:control
    Scenario Outline: Nobody is met by a fault where there is no operation: <fault>
      Given the next call is met by the fault "<fault>"
      When the client sends "GET /Companies"
      Then the answer has the status <status>

      Examples:
        | fault      | status |
        | status=503 | 503    |
        | status=499 | 499    |
        | none       | 404    |

    @needs:control @choice:error-body=problem-details
    Scenario Outline: How a fault is asked for is told: <what>
      Given the next call is met by the fault "<fault>"
      When the client sends "POST /User/Register":
        """
        {"redirectUrl": "https://partner.example.com/back"}
        """
      Then the service refuses it as invalid
      And the refusal explains each problem

      Examples:
        | what | fault |
        | cut-connection=middle | cut-connection=middle |
        | cut-connection= | cut-connection= |
        | commit-then-drop=1 | commit-then-drop=1 |
        | token-revoked=always | token-revoked=always |
        | latency | latency |
        | slow-body=soon | slow-body=soon |
        | a wait of 30 digits | latency=0.000000000000000000000000000001s |
        | status=503;status=503;statis=1 | status=503;status=503;statis=1 |
        | 80 letters | xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx |
        | 81 letters | xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx |
        | 512 letters | xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx |
        | 513 letters | xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx |
        | commit-then-drop;cut-connection | commit-then-drop;cut-connection |
        | commit-then-drop;token-revoked | commit-then-drop;token-revoked |
        | cut-connection;token-revoked | cut-connection;token-revoked |
        | status=500;cut-connection | status=500;cut-connection |
        | status=500;token-revoked | status=500;token-revoked |

    @needs:control @choice:rate-limit=none
    Scenario: A token that a fault has withdrawn stays so when the sandbox goes back
      Given the fault "{'tokenRevoked':'token'}" waits for "listCompanies"
      And the partner holds a token
      And the partner lists the companies
      And the sandbox is saved in a file
      And the sandbox goes back to what was saved
      When the partner lists the companies
      Then the answer has the status 401

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
    Scenario Outline: An outage of an hour: after <minutes> minutes
      Given a company
      And the fault "{'status':503}" meets "listCompanies" for 1 hour
      And <minutes> minutes pass
      When the partner lists the companies
      Then the answer has the status <status>
      And the answer's header "Retry-After" is "<left>"

      Examples:
        | minutes | status | left |
        | 0       | 503    | 3600 |
        | 59      | 503    | 60   |
        | 60      | 200    |      |

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
    Scenario: What is left of an outage of two hours
      Given the fault "{'status':503}" meets "listCompanies" for 2 hours
      When 80 minutes pass
      Then the sandbox shows "the faults" as:
        """
        {"faults":[{"id":"fault-1","match":{"operation":"listCompanies","method":"","entity":"","nth":1},
        "effect":"status=503","count":0,"until":"2026-03-02T19:00:00Z","secondsLeft":2400,"remaining":null,"seen":0,"hits":0,"log":[]}]}
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
      And the sandbox is saved in a file
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

    @needs:control
    Scenario Outline: A call of the control API that is refused: <call> <body>
      When the tester calls "<call>" with "<body>"
      Then the service refuses it as invalid
      And the refusal names exactly:
        | <field> |

      Examples:
        | call                                       | body                                                                | field                 |
        | GET /clock/preview?by=-1h                  |                                                                     | by                    |
        | POST /_sandbox/integrations                | {'from':'{integration}','strict':true}                              | strict                |
        | POST /_sandbox/integrations                | {'from':'{integration}','seed':7}                                   | seed                  |
        | POST /_sandbox/integrations                | {'from':'nobody'}                                                   | from                  |
        | POST /faults                               | {'match':{'operation':'createToken'},'effect':{'tokenRevoked':'token'}} | effect.tokenRevoked   |
        | GET /clock/preview?by=1h&by=2h             |                                                                     | query:by              |
        | GET /clock/preview                         |                                                                     | $                     |
        | GET /clock/due?limit=many                  |                                                                     | query:limit           |
        | GET /clock/due?colour=red                  |                                                                     | query:colour          |
        | GET /tape?since=x                          |                                                                     | query:since           |
        | GET /tape?wait=2m                          |                                                                     | query:wait            |
        | GET /tape?kind=transitions                 |                                                                     | query:kind            |
        | GET /tape?kind=                            |                                                                     | query:kind            |
        | GET /tape?limit=-1                         |                                                                     | query:limit           |
        | GET /tape?kinds=note                       |                                                                     | query:kinds           |
        | GET /entities?limit=5000                   |                                                                     | query:limit           |
        | GET /entities?after=company                |                                                                     | query:after           |
        | GET /entities?kind=payment&after=company.1 |                                                                     | query:after           |
        | GET /entities?at=99999                     |                                                                     | query:at              |
        | GET /entries/zero                          |                                                                     | path:seq              |
        | GET /messages?wait=soon                    |                                                                     | query:wait            |
        | GET /messages?color=red                    |                                                                     | query:color           |
        | GET /messages?to=a&to=b                    |                                                                     | query:to              |
        | GET /deliveries?state=lost                 |                                                                     | query:state           |
        | GET /coverage?x=1                          |                                                                     | query:x               |
        | GET /enough?wait=61s                       |                                                                     | query:wait            |
        | POST /clock/advance                        | {}                                                                  | $                     |
        | POST /clock/advance                        | {'by':'1h','to':'2030-01-01T00:00:00Z'}                             | $                     |
        | POST /clock/advance                        | {'by':'soon'}                                                       | by                    |
        | POST /clock/advance                        | {'by':'-1h'}                                                        | by                    |
        | POST /clock/advance                        | {'to':'tomorrow'}                                                   | to                    |
        | POST /clock/advance                        | {'to':'2020-01-01T00:00:00Z'}                                       | to                    |
        | POST /clock/advance                        | {'until':'last'}                                                    | until                 |
        | POST /clock/advance                        | {'for':'1h'}                                                        | for                   |
        | POST /clock/advance                        | {'by':7}                                                            | by                    |
        | POST /clock/advance                        | {'by':'-2d3h'}                                                      | by                    |
        | POST /clock/advance                        | {'by':'1dx'}                                                        | by                    |
        | POST /clock/advance                        | {'by':'106752d'}                                                    | by                    |
        | POST /faults                               | {}                                                                  | effect                |
        | POST /faults                               | {'effect':{}}                                                       | effect                |
        | POST /faults                               | {'effect':{'status':200}}                                           | effect.status         |
        | POST /faults                               | {'effect':{'status':600}}                                           | effect.status         |
        | POST /faults                               | {'effect':{'status':503,'retryAfter':-1}}                           | effect.retryAfter     |
        | POST /faults                               | {'effect':{'status':503,'retryAfter':90000}}                        | effect.retryAfter     |
        | POST /faults                               | {'effect':{'latency':'soon'}}                                       | effect.latency        |
        | POST /faults                               | {'effect':{'latency':'2m'}}                                         | effect.latency        |
        | POST /faults                               | {'effect':{'latency':'40s','slowBody':'40s'}}                       | effect.slowBody       |
        | POST /faults                               | {'effect':{'retryAfter':5}}                                         | effect.retryAfter     |
        | POST /faults                               | {'effect':{'cutConnection':'now'}}                                  | effect.cutConnection  |
        | POST /faults                               | {'effect':{'commitThenDrop':true,'status':503}}                     | effect.commitThenDrop |
        | POST /faults                               | {'effect':{'tokenRevoked':'never'}}                                 | effect.tokenRevoked   |
        | POST /faults                               | {'effect':{'status':503,'colour':'red'}}                            | effect.colour         |
        | POST /faults                               | {'effect':{'status':503},'match':{'operation':'createPayments'}}    | match.operation       |
        | POST /faults                               | {'effect':{'status':503},'match':{'method':'FETCH'}}                | match.method          |
        | POST /faults                               | {'effect':{'status':503},'match':{'nth':0}}                         | match.nth             |
        | POST /faults                               | {'effect':{'status':503},'match':{'path':'/x'}}                     | match.path            |
        | POST /faults                               | {'effect':{'status':503},'for':'soon'}                              | for                   |
        | POST /faults                               | {'effect':{'status':503},'for':'999ms'}                             | for                   |
        | POST /faults                               | {'effect':{'status':503},'for':'367d'}                              | for                   |
        | POST /faults                               | {'effect':{'status':503},'for':'-1h'}                               | for                   |
        | POST /faults                               | {'effect':{'status':503},'for':3600}                                | for                   |
        | POST /faults                               | {'effect':{'status':503},'count':-1}                                | count                 |
        | POST /faults                               | {'effect':{'status':503},'count':2000000}                           | count                 |
        | POST /faults                               | {'effect':{'status':503},'name':'a b'}                              | name                  |
        | POST /faults                               | {'effect':{'status':503},'name':'header'}                           | name                  |
        | POST /faults                               | {'effect':{'status':503},'often':2}                                 | often                 |
        | POST /faults                               | {'effect':{'tokenRevoked':'call'},'match':{'operation':'getToken'}} | match.operation       |
        | POST /faults                               | {'effect':'status=503'}                                             | effect                |
        | POST /notes                                | {}                                                                  | kind                  |
        | POST /notes                                | {'kind':'A note'}                                                   | kind                  |
        | POST /notes                                | {'kind':'task','data':'x'}                                          | data                  |
        | POST /snapshots                            | {'name':'a b'}                                                      | name                  |
        | POST /webhooks                             | {'url':'http://127.0.0.1:1/x','events':['PAYMENT']}                 | events[0]             |
        | POST /webhooks                             | {'url':'http://127.0.0.1:1/x','profile':'late'}                     | profile               |
        | POST /_sandbox/integrations                | {'seed':-1}                                                         | seed                  |
        | POST /_sandbox/integrations                | {'environment':'production'}                                        | environment           |
        | POST /_sandbox/integrations                | {'clock':{'mode':'slow'}}                                           | clock.mode            |
        | POST /_sandbox/integrations                | {'clock':{'start':'today'}}                                         | clock.start           |
        | POST /_sandbox/integrations                | {'latitude':{'colour':'red'}}                                       | latitude.colour       |
        | POST /_sandbox/integrations                | {'latitude':{'live':'maybe'}}                                       | latitude.live         |
        | POST /_sandbox/integrations                | {'from':'nothing'}                                                  | from                  |
        | POST /_sandbox/integrations                | {'webhookUrl':'nowhere'}                                            | webhookUrl            |
        | POST /_sandbox/integrations                | {'name':5}                                                          | name                  |
        | POST /reset                                | {'seed':7}                                                          | seed                  |
        | POST /tokens/revoke                        | {'token':'one'}                                                     | token                 |
        | POST /load                                 | {}                                                                  | $                     |
        | POST /load                                 |                                                                     | $                     |

    @needs:control
    Scenario Outline: A call of the control API about a thing that is refused: <call> <body>
      Given a payment that is "Pending"
      And a plan
      And a webhook receiver
      When the tester calls "<call>" with "<body>"
      Then the service refuses it as invalid
      And the refusal names exactly:
        | <field> |

      Examples:
        | call                                 | body                                                | field         |
        | GET /entities/{payment}?at=99999     |                                                     | query:at      |
        | POST /webhooks/{webhook}/profile     | {}                                                  | profile       |
        | POST /webhooks/{webhook}/profile     | {'profile':'late'}                                  | profile       |
        | POST /webhooks/{webhook}/profile     | {'profile':'delay','next':-1}                       | next          |
        | POST /webhooks/{webhook}/profile     | {'profile':'delay','next':1,'forStatus':'Lost'}     | forStatus     |
        | POST /webhooks/{webhook}/enable      | {'events':[]}                                       | events        |
        | POST /webhooks/{webhook}/probe       | {'url':'http://127.0.0.1:1/x'}                      | url           |
        | POST /companies/{company}/bank-link  | {'bank':'First'}                                    | bank          |
        | POST /payments/{payment}/explode     | {}                                                  | path:event    |
        | POST /payments/{payment}/fail        | {'returnCode':'R99'}                                | returnCode    |
        | POST /payments/{payment}/approve     | {'returnCode':'R01'}                                | returnCode    |
        | POST /payments/{payment}/approve     | {'feePayer':'client'}                               | feePayer      |
        | POST /plans/{plan}/explode           | {}                                                  | path:event    |
        | POST /companies/{company}/kyb        | {'outcome':'fine'}                                  | outcome       |
        | POST /companies/{company}/kyb        | {}                                                  | outcome       |
        | POST /registrations/{payer}/complete | {'outcome':'maybe'}                                 | outcome       |
        | POST /registrations/{payer}/complete | {'persona':'best'}                                  | persona       |
        | POST /registrations/{payer}/complete | {'persona':'good','accountNumber':'1'}              | persona       |
        | POST /registrations/{payer}/complete | {'accountNumber':'12'}                              | accountNumber |
        | POST /payment-methods                | {'registrationId':'{payer}','card':'approve'}       | card          |
        | POST /payment-methods                | {'registrationId':'{payer}','card':'4000000000000'} | card          |

    @needs:control
    Scenario Outline: A call of the control API that is <verdict>: <call>
      When the tester calls "<call>" with "<body>"
      Then the service refuses it as <verdict>
      And the refusal is told in problem details

      Examples:
        | call                                        | body                                             | verdict        |
        | GET /entries/0                              |                                                  | unknown        |
        | GET /why/x                                  |                                                  | unknown        |
        | GET /nothing                                |                                                  | unknown        |
        | PUT /clock                                  |                                                  | a wrong method |
        | DELETE /faults/nothing                      |                                                  | unknown        |
        | POST /snapshots/none/restore                | {}                                               | unknown        |
        | POST /_sandbox/integrations                 | {'from':'{integration}/none'}                    | unknown        |
        | POST /snapshots/none/fork                   | {}                                               | unknown        |
        | DELETE /snapshots/none                      |                                                  | unknown        |
        | POST /snapshots/none/download               | {}                                               | unknown        |
        | POST /webhooks/{unknown}/probe              | {}                                               | unknown        |
        | POST /webhooks/{unknown}/enable             | {}                                               | unknown        |
        | POST /webhooks/{unknown}/rotate-secret      | {}                                               | unknown        |
        | POST /webhooks/{unknown}/profile            | {'profile':'delay'}                              | unknown        |
        | DELETE /webhooks/{unknown}                  |                                                  | unknown        |
        | POST /deliveries/{unknown}/resend           | {}                                               | unknown        |
        | POST /payments/{unknown}/approve            | {}                                               | unknown        |
        | POST /plans/{unknown}/activate              | {}                                               | unknown        |
        | POST /consents/{unknown}/accept             | {}                                               | unknown        |
        | POST /refunds/{unknown}/complete            | {}                                               | unknown        |
        | POST /debit-authorisations/{unknown}/accept | {}                                               | unknown        |
        | POST /card-payments/{unknown}/succeed       | {}                                               | unknown        |
        | POST /cards/{unknown}/authorise             | {'number':'4242424242424242'}                    | unknown        |
        | POST /companies/{unknown}/kyb               | {'outcome':'verified'}                           | unknown        |
        | POST /companies/{unknown}/bank-link         | {}                                               | unknown        |
        | POST /registrations/{unknown}/complete      | {}                                               | unknown        |
        | POST /payment-methods                       | {'registrationId':'{unknown}','card':'approved'} | unknown        |
        | POST /payment-methods                       | {'card':'approved'}                              | unknown        |
        | POST /_sandbox/integrations                 | {'clientId':'sandbox-client'}                    | a conflict     |
        | GET /_sandbox/integrations/nobody           |                                                  | unknown        |
        | GET /_sandbox/nothing                       |                                                  | unknown        |
        | GET /entries/4                              |                                                  | unknown        |

    @needs:control
    Scenario Outline: A call of the control API about a thing that is <verdict>: <call>
      Given a payment that is "Pending"
      And a plan
      And a webhook receiver
      When the tester calls "<call>" with "<body>"
      Then the service refuses it as <verdict>
      And the refusal is told in problem details

      Examples:
        | call                                   | body             | verdict    |
        | POST /webhooks/{webhook}/enable        | {}               | a conflict |
        | POST /payments/{payment}/pay           | {}               | a conflict |

    @needs:control
    Scenario Outline: A name is given once: <call>
      Given the tester calls "<call>" with "<body>"
      When the tester calls "<call>" with "<body>"
      Then the service refuses it as a conflict

      Examples:
        | call            | body                                      |
        | POST /faults    | {'name':'one','effect':{'status':503}}    |
        | POST /snapshots | {'name':'one'}                            |

    @needs:control
    Scenario Outline: More than one wrong name is told: <call>
      Given a webhook receiver
      When the tester calls "<call>" with "<body>"
      Then the service refuses it as invalid
      And the refusal explains each problem

      Examples:
        | call                             | body                                                          |
        | POST /webhooks/{webhook}/profile | {'profile':'one,two'}                                         |
        | POST /webhooks                   | {'url':'http://127.0.0.1:1/x','profile':'one,two'}            |
        | POST /webhooks                   | {'url':'http://127.0.0.1:1/x','events':['ONE','TWO']}         |
        | POST /webhooks/{webhook}/profile | {'profile':'delay','next':-1,'forStatus':'Nothing'}           |
        | POST /faults                     | {'effect':{'status':503},'match':{'operation':'a','nth':-1}}  |

    @needs:control
    Scenario: An event goes to the endpoint that was asked for
      Given a webhook receiver
      And a company
      And the receiver has got 1 delivery
      And the tester calls "POST /webhooks" with "{'url':'http://127.0.0.1:1/x'}"
      When the tester calls "POST /deliveries/{event}/resend" with "{}"
      Then the service refuses it as invalid
      And the refusal names exactly:
        | endpoint |

    @needs:control
    Scenario Outline: An integration that cannot be is refused: <body>
      When the tester calls "POST /_sandbox/integrations" with "<body>"
      Then the service refuses it as invalid
      And the refusal explains each problem

      Examples:
        | body                                                       |
        | {'latitude':{'nothing':'x'}}                               |
        | {'latitude':{'liv':'true'}}                                |
        | {'latitude':{'live':'maybe'}}                              |
        | {'latitude':{'live':5}}                                    |
        | {'latitude':{'live':'maybe','dates':'never'}}              |
        | {'latitude':{'a/b~c':'x'}}                                 |
        | {'latitude':5}                                             |
        | {'environment':'moon'}                                     |
        | {'clock':{'mode':'slow'}}                                  |
        | {'clock':{'start':'soon'}}                                 |

    @needs:control
    Scenario Outline: A control call whose query cannot be read is refused: <query>
      When the tester calls "GET /entities?<query>"
      Then the service refuses it as invalid
      And the refusal names exactly:
        | query: |

      Examples:
        | query    |
        | limit=%z |
        | a;b=1    |

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
    Scenario Outline: What the tape keeps of a body that is broken: <bytes>
      Given the client sends "POST /Authentication/Token" with the bytes "<bytes>"
      And the service refuses it as invalid
      When the tester calls "GET /entries/2"
      Then the answer's entry.exchange.request.body is "<kept>"

      Examples:
        | bytes | kept |
        | {'amount':12,'x':01} | {'amount':12,'x':01} |
        | \n{'amount':12,'x':'one | \n{'amount':12,'x':'xxx |
        | {'clientSecret':'a-guess','x':01} | {'clientSecret':'x-xxxxx','x':01} |
        | \n {'clientSecret':'a-guess','x':y} | \n {'clientSecret':'x-xxxxx','x':x} |
        | ['clientSecret','a-guess',01] | ['xxxxxxxxxxxx','x-xxxxx',01] |
        | \n[12,01] | \n[11,01] |
        | {'amount':12} xy | {'amount':12} xx |
        | {'clientSecret':{'a':'b'},'y':1,z} | {'clientSecret':{'x':'x'},'y':1,x} |
        | {'a':tru} | {'a':xxx} |
        | {'a':true,'b':-} | {'a':true,'b':-} |
        | 12y | 11x |

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

    @needs:control
    Scenario Outline: A control call, too, has its methods: <call>
      When the tester calls "<call>" with "{}"
      Then the service refuses it as a wrong method
      And the answer's header "Allow" is "<allow>"

      Examples:
        | call           | allow           |
        | DELETE /clock  | GET, HEAD       |
        | PUT /snapshots | GET, HEAD, POST |

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
