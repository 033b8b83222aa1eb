@area:events
Feature: Events are signed and delivered

  @clause:event.signature
  Rule: With a secret every delivery is signed over its exact bytes

    @needs:control @choice:event-order=causal @choice:kyb-sandbox=event @choice:signed-bytes=lower-hex
    Scenario: Both events
      Given a webhook receiver with the secret "s3cret ünicode"
      And a payment that is "Paid"
      When the partner refunds the payment
      Then the receiver has got 3 deliveries
      And every delivery is signed with "s3cret ünicode"

    @needs:control @choice:event-order=causal @choice:kyb-sandbox=event
    Scenario Outline: A receiver can be tried with signatures that are <profile>
      Given a webhook receiver with the secret "s3cret"
      And the deliveries go wrong by "<profile>"
      When the partner registers a company
      Then the receiver has got 1 delivery
      And no delivery is rightly signed with "s3cret"

      Examples:
        | profile           |
        | wrong-secret      |
        | missing-signature |
        | altered-byte      |
        | altered-signature |
        | empty-secret      |

      @choice:event-timestamp=present
      Examples:
        | profile         |
        | stale-signature |

    @needs:control @choice:event-order=causal @choice:kyb-sandbox=event @choice:retries=scheduled
    Scenario: Each delivery whose byte was altered is JSON still, and tells of another thing
      Given a webhook receiver
      And the receiver answers "401"
      And the deliveries go wrong by "altered-byte"
      And a company
      When 10 days pass
      Then the receiver has got 8 deliveries
      And one digit of every delivery is another than in its event

    @needs:control @choice:event-order=causal @choice:kyb-sandbox=event
    Scenario: A delivery can be altered to tell what an attacker likes
      Given a payment that is "Processing"
      And a webhook receiver with the secret "s3cret"
      And the deliveries go wrong by "altered-status"
      When "fail" happens to the payment
      Then the receiver has got 1 delivery
      And the last delivery's Data.Status is "Paid"
      And no delivery is rightly signed with "s3cret"

    @needs:control @choice:event-order=causal @choice:kyb-sandbox=event @choice:signed-bytes=lower-hex
    Scenario Outline: What is unusual is signed all the same: <profile>
      Given a webhook receiver with the secret "s3cret"
      And the deliveries go wrong by "<profile>"
      When the partner registers a company
      Then the receiver has got 1 delivery
      And every delivery is signed with "s3cret"

      Examples:
        | profile       |
        | odd-json      |
        | extra-member  |
        | unknown-event |
        | slow-read     |

  @clause:event.signature.none
  Rule: Without a secret nothing is signed

    @needs:control @choice:event-order=causal @choice:kyb-sandbox=event
    Scenario: No header
      Given a webhook receiver
      When the partner registers a company
      Then no delivery is signed

  @clause:event.delivery.media-type
  Rule: An event is posted as JSON

    @needs:control @choice:event-order=causal @choice:kyb-sandbox=event
    Scenario: The media type
      Given a webhook receiver
      When the partner registers a company
      Then the last delivery's header "Content-Type" is "application/json"

    @needs:control @choice:event-order=causal @choice:kyb-sandbox=event @choice:delivery-headers=none
    Scenario: What comes with a signed event
      Given a webhook receiver with the secret "s3cret"
      When the partner registers a company
      Then the last delivery comes with the headers "Content-Length, Content-Type, X-Hmac-Signature"

    @needs:control @choice:event-order=causal @choice:kyb-sandbox=event @choice:dates=seconds @choice:event-timestamp=present @choice:live=false
    Scenario: The event of a company, byte for byte
      Given a webhook receiver
      When the partner registers a company
      Then the last delivery is:
        """
        {"Live":false,"Event":"COMPANY_VERIFICATION_STATUS_CHANGED","Data":{"CompanyId":"{company}","Status":"Verified","Timestamp":"2026-03-02T17:00:00Z"}}
        """

    @needs:control @choice:event-order=causal @choice:account-mask=asterisk @choice:dates=seconds @choice:event-timestamp=present @choice:live=false @choice:payment-event=amount-number
    Scenario: The event of a payment, byte for byte
      Given a payment that is "Processing"
      And a webhook receiver
      When "pay" happens to the payment
      Then the last delivery is:
        """
        {"Live":false,"Event":"PAYMENT_STATUS_CHANGED","Data":{"PaymentId":"{payment}","RegistrationId":"{payer}","Amount":5000,"Currency":"USD","Status":"Paid","Timestamp":"2026-03-02T17:00:00Z","AccountNumberMasked":"*1111"}}
        """

  @clause:event.delivery.registration
  Rule: An address can be registered for some events alone

    @needs:control
    Scenario: Payments only
      Given a webhook receiver for "PAYMENT_STATUS_CHANGED"
      When the partner registers a company
      Then the receiver has got 0 deliveries

    @needs:control @choice:event-order=causal @choice:kyb-sandbox=event
    Scenario: Companies only
      Given a webhook receiver for "COMPANY_VERIFICATION_STATUS_CHANGED"
      And a payment that is "Paid"
      When 1 minute passes
      Then the deliveries tell of "Verified"

    @needs:control @choice:event-order=causal
    Scenario: What the sandbox shows of an address
      Given a webhook receiver for "PAYMENT_STATUS_CHANGED"
      When the partner registers a company
      Then the sandbox shows "the webhook" as:
        """
        {"kind":"webhook-endpoint","id":"{webhook}","machine":"webhook endpoint","status":"Enabled","summary":"{receiver}","amount":null,"created":null,"changed":"2026-03-02T17:00:00Z","relations":[],
        "console":"/console/{integration}/entities/{webhook}","facts":[{"name":"events","value":"PAYMENT_STATUS_CHANGED"},{"name":"profile","value":""}],
        "page":null,"visited":[{"seq":2,"cause":1,"at":"2026-03-02T17:00:00Z","event":"create","from":"","to":"Enabled","reason":""}],
        "moves":[{"event":"disable","to":"Disabled","method":"POST","path":"","body":""}],"related":[],"deliveries":[],"messages":[],"entries":[1,2],
        "omitted":0,"gap":null}
        """

    @needs:control @choice:dates=seconds @choice:event-order=causal
    Scenario: The addresses
      Given a webhook receiver for "PAYMENT_STATUS_CHANGED"
      When the partner registers a company
      Then the sandbox shows "the webhooks" as:
        """
        {"webhooks":[{"id":"{webhook}","url":"{receiver}","secret":"","events":["PAYMENT_STATUS_CHANGED"],
        "profile":"","next":0,"forStatus":"","status":"Enabled","created":"2026-03-02T17:00:00Z","pending":0}]}
        """

  @clause:event.delivery.retry
  Rule: A delivery that fails is tried again later, with the same bytes

    @needs:control @choice:event-order=causal @choice:kyb-sandbox=event
    Scenario: The second attempt after five seconds
      Given a webhook receiver
      And the receiver answers "500, 200"
      And a company
      When 5 seconds pass
      Then the receiver has got 2 deliveries
      And the deliveries have the same body

    @needs:control @choice:event-order=causal @choice:kyb-sandbox=event
    Scenario: Not before
      Given a webhook receiver
      And the receiver answers "500, 200"
      And a company
      When 4 seconds pass
      Then the receiver has got 1 delivery

    @needs:control @choice:kyb-sandbox=event
    Scenario: Eight attempts and no more
      Given a webhook receiver
      And the receiver answers "500"
      And a company
      When 10 days pass
      Then the receiver has got 8 deliveries

    @needs:control @choice:event-order=causal @choice:kyb-sandbox=event
    Scenario Outline: <status> is not a success
      Given a webhook receiver
      And the receiver answers "<status>, 200"
      And a company
      When 1 minute passes
      Then the receiver has got 2 deliveries

      Examples:
        | status |
        | 300    |
        | 301    |
        | 302    |
        | 303    |
        | 307    |
        | 308    |
        | 399    |
        | 400    |
        | 401    |
        | 404    |
        | 409    |
        | 411    |
        | 429    |
        | 499    |
        | 500    |
        | 502    |
        | 503    |
        | 599    |

    @needs:control @choice:event-order=causal @choice:kyb-sandbox=event
    Scenario Outline: <status> is a success
      Given a webhook receiver
      And the receiver answers "<status>"
      And a company
      When 1 day passes
      Then the receiver has got 1 delivery

      Examples:
        | status |
        | 200    |
        | 201    |
        | 202    |
        | 204    |
        | 205    |
        | 206    |
        | 299    |

    @needs:control @choice:event-order=causal @choice:kyb-sandbox=event
    Scenario Outline: A receiver can be tried with the same event twice: <profile>
      Given a webhook receiver
      And the deliveries go wrong by "<profile>"
      When the partner registers a company
      Then the receiver has got 2 deliveries
      And the deliveries have the same body

      Examples:
        | profile            |
        | duplicate          |
        | parallel-duplicate |

    @needs:control @choice:dates=seconds @choice:delivery-headers=named @choice:event-order=causal @choice:event-timestamp=present @choice:kyb-sandbox=event @choice:live=false @choice:retries=scheduled
    Scenario: The deliveries that wait for another attempt
      Given a webhook receiver
      And the receiver answers "500, 200"
      When the partner registers a company
      Then the sandbox shows "the deliveries" as:
        """
        {"deliveries":[{"id":"{id}","endpoint":"{webhook}","event":"COMPANY_VERIFICATION_STATUS_CHANGED","eventId":"{id}","entity":"{company}","state":"scheduled","next":"2026-03-02T17:00:05Z","why":"status 500; attempt 2 of 8 after 5s, by schedule","attempts":[{"seq":9,"number":1,"at":"2026-03-02T17:00:00Z","profile":"","url":"{receiver}","header":[{"name":"Content-Type","value":"application/json"},
        {"name":"Sandbox-Delivery","value":"{id}"},{"name":"User-Agent","value":"{id}"}],
        "signature":"","body":"{\"Live\":false,\"Event\":\"COMPANY_VERIFICATION_STATUS_CHANGED\",\"Data\":{\"CompanyId\":\"{company}\",\"Status\":\"Verified\",\"Timestamp\":\"2026-03-02T17:00:00Z\"}}","status":500,"error":"","responseHeader":[],
        "responseBody":"","latencyMillis":0,"next":"2026-03-02T17:00:05Z","reason":"status 500; attempt 2 of 8 after 5s, by schedule"}]}],"gap":null}
        """

    @needs:control @choice:dates=seconds @choice:delivery-headers=named @choice:event-order=causal @choice:event-timestamp=present @choice:kyb-sandbox=event @choice:live=false @choice:retries=scheduled
    Scenario: A receiver that sends somewhere else
      Given a webhook receiver
      And the receiver answers "302, 200"
      When the partner registers a company
      Then the sandbox shows "the deliveries" as:
        """
        {"deliveries":[{"id":"{id}","endpoint":"{webhook}","event":"COMPANY_VERIFICATION_STATUS_CHANGED","eventId":"{id}","entity":"{company}","state":"scheduled","next":"2026-03-02T17:00:05Z","why":"status 302; attempt 2 of 8 after 5s, by schedule","attempts":[{"seq":9,"number":1,"at":"2026-03-02T17:00:00Z","profile":"","url":"{receiver}","header":[{"name":"Content-Type","value":"application/json"},
        {"name":"Sandbox-Delivery","value":"{id}"},{"name":"User-Agent","value":"{id}"}],
        "signature":"","body":"{\"Live\":false,\"Event\":\"COMPANY_VERIFICATION_STATUS_CHANGED\",\"Data\":{\"CompanyId\":\"{company}\",\"Status\":\"Verified\",\"Timestamp\":\"2026-03-02T17:00:00Z\"}}","status":302,"error":"redirect not followed","responseHeader":[],
        "responseBody":"","latencyMillis":0,"next":"2026-03-02T17:00:05Z","reason":"status 302; attempt 2 of 8 after 5s, by schedule"}]}],"gap":null}
        """

    @needs:control @choice:dates=seconds @choice:delivery-headers=named @choice:event-order=causal @choice:event-timestamp=present @choice:kyb-sandbox=event @choice:live=false @choice:retries=scheduled
    Scenario: A delivery that came at the second attempt
      Given a webhook receiver
      And the receiver answers "500, 200"
      And a company
      When 6 seconds pass
      Then the sandbox shows "the deliveries" as:
        """
        {"deliveries":[{"id":"{id}","endpoint":"{webhook}","event":"COMPANY_VERIFICATION_STATUS_CHANGED","eventId":"{id}","entity":"{company}","state":"delivered","next":null,"why":"delivered: status 200","attempts":[{"seq":9,"number":1,"at":"2026-03-02T17:00:00Z","profile":"","url":"{receiver}","header":[{"name":"Content-Type","value":"application/json"},
        {"name":"Sandbox-Delivery","value":"{id}"},{"name":"User-Agent","value":"{id}"}],
        "signature":"","body":"{\"Live\":false,\"Event\":\"COMPANY_VERIFICATION_STATUS_CHANGED\",\"Data\":{\"CompanyId\":\"{company}\",\"Status\":\"Verified\",\"Timestamp\":\"2026-03-02T17:00:00Z\"}}","status":500,"error":"","responseHeader":[],
        "responseBody":"","latencyMillis":0,"next":"2026-03-02T17:00:05Z","reason":"status 500; attempt 2 of 8 after 5s, by schedule"},
        {"seq":12,"number":2,"at":"2026-03-02T17:00:05Z","profile":"","url":"{receiver}","header":[{"name":"Content-Type","value":"application/json"},
        {"name":"Sandbox-Delivery","value":"{id}"},{"name":"User-Agent","value":"{id}"}],
        "signature":"","body":"{\"Live\":false,\"Event\":\"COMPANY_VERIFICATION_STATUS_CHANGED\",\"Data\":{\"CompanyId\":\"{company}\",\"Status\":\"Verified\",\"Timestamp\":\"2026-03-02T17:00:00Z\"}}","status":200,"error":"","responseHeader":[],
        "responseBody":"","latencyMillis":0,"next":null,"reason":"delivered: status 200"}]}],"gap":null}
        """

    @needs:control @choice:event-order=causal @choice:kyb-sandbox=event @choice:rate-limit=none
    Scenario: The second attempt is made when the sandbox goes back
      Given a webhook receiver
      And the receiver answers "500, 200"
      And a company
      And the sandbox is saved
      And the sandbox goes back to what was saved
      When 5 seconds pass
      Then the receiver has got 2 deliveries
      And the deliveries have the same body

    @needs:control @choice:event-order=causal @choice:kyb-sandbox=event @choice:retries=scheduled
    Scenario Outline: A receiver may ask for patience: <after>, after <seconds> seconds
      Given a webhook receiver
      And the receiver answers "503, 200"
      And the receiver's answers carry the header "Retry-After" as "<after>"
      And the receiver's answers carry the header "Date" as "Mon, 02 Mar 2026 16:30:00 GMT"
      And a company
      And the receiver has got 1 delivery
      When <seconds> seconds pass
      Then the receiver has got <n> deliveries

      Examples:
        | after                          | seconds | n |
        | 60                             | 59      | 1 |
        | 60                             | 60      | 2 |
        | 5                              | 5       | 2 |
        | 6                              | 5       | 1 |
        | 1                              | 4       | 1 |
        | 1                              | 5       | 2 |
        | soon                           | 5       | 2 |
        | -60                            | 5       | 2 |
        | 172800                         | 86399   | 1 |
        | 172800                         | 86400   | 2 |
        | 9223372037                     | 86399   | 1 |
        | 99999999999999999999           | 86400   | 2 |
        | Mon, 02 Mar 2026 16:31:00 GMT  | 59      | 1 |
        | Mon, 02 Mar 2026 16:31:00 GMT  | 60      | 2 |
        | Monday, 02-Mar-26 16:31:00 GMT | 59      | 1 |
        | Mon Mar  2 16:31:00 2026       | 59      | 1 |
        | Mon, 02 Mar 2026 16:00:00 GMT  | 5       | 2 |
        | Thu, 05 Mar 2026 16:30:00 GMT  | 86399   | 1 |
        | Thu, 05 Mar 2026 16:30:00 GMT  | 86400   | 2 |

    @needs:control @choice:event-order=causal @choice:kyb-sandbox=event @choice:retries=scheduled
    Scenario Outline: Who tells no time of its own is understood by the service's, after <seconds> seconds
      Given a webhook receiver
      And the receiver answers "503, 200"
      And the receiver's answers carry the header "Retry-After" as "Mon, 02 Mar 2026 17:01:00 GMT"
      And the receiver's answers carry the header "Date" as ""
      And a company
      And the receiver has got 1 delivery
      When <seconds> seconds pass
      Then the receiver has got <n> deliveries

      Examples:
        | seconds | n |
        | 59      | 1 |
        | 60      | 2 |

    @needs:control @choice:event-order=causal @choice:kyb-sandbox=event @choice:retries=scheduled
    Scenario Outline: Where a receiver sends somebody else is not gone to: <where>
      Given a webhook receiver
      And the receiver answers "307, 200"
      And the receiver's answers carry the header "Location" as "<where>"
      And a company
      And the receiver has got 1 delivery
      When 5 seconds pass
      Then the receiver has got 2 deliveries

      Examples:
        | where                              |
        | /elsewhere                         |
        | https://partner.example.com/hooks2 |
        | ::                                 |

    @needs:control @choice:event-order=causal @choice:kyb-sandbox=event @choice:retries=scheduled
    Scenario Outline: Two attempts of one moment that are both answered <status>
      Given a webhook receiver
      And the receiver answers "<status>"
      And the deliveries go wrong by "parallel-duplicate"
      And a company
      And the receiver has got 2 deliveries
      When 10 days pass
      Then the receiver has got <n> deliveries

      Examples:
        | status | n  |
        | 410    | 2  |
        | 500    | 8 |

    @needs:control @choice:event-order=causal @choice:kyb-sandbox=event
    Scenario: An event is sent once more, with the same bytes
      Given a webhook receiver with the secret "s3cret"
      And a company
      And the receiver has got 1 delivery
      When the tester calls "POST /deliveries/{delivery}/resend" with "{}"
      Then the receiver has got 2 deliveries
      And the deliveries have the same body

    @needs:control @choice:event-order=causal @choice:kyb-sandbox=event @choice:signed-bytes=lower-hex
    Scenario Outline: An event is sent once more: <body>
      Given a webhook receiver with the secret "s3cret"
      And a company
      And the receiver has got 1 delivery
      When the tester calls "POST /deliveries/{<what>}/resend" with "<body>"
      Then the receiver has got 2 deliveries
      And every delivery is signed with "s3cret"

      Examples:
        | what     | body                     |
        | event    | {}                       |
        | event    | {'endpoint':'{webhook}'} |
        | delivery | {'body':'{}'}            |

    @needs:control @choice:event-order=causal @choice:kyb-sandbox=event
    Scenario: A delivery is sent once more to its own endpoint
      Given a webhook receiver
      And the tester calls "POST /webhooks" with "{'url':'http://127.0.0.1:9/nobody'}"
      And a company
      And the receiver has got 1 delivery
      And the tester calls "POST /deliveries/{delivery}/resend" with "{}"
      When the tester calls "GET /deliveries"
      Then the answer lists 3 deliveries

    @needs:control @choice:event-order=causal @choice:kyb-sandbox=event
    Scenario: Of an event that went to two endpoints it has to be said to which it goes once more
      Given a webhook receiver
      And the tester calls "POST /webhooks" with "{'url':'http://127.0.0.1:9/nobody'}"
      And a company
      And the receiver has got 1 delivery
      When the tester calls "POST /deliveries/{event}/resend" with "{}"
      Then the service refuses it as invalid
      And the refusal names exactly:
        | endpoint |

    @needs:control @choice:event-order=causal @choice:kyb-sandbox=event @choice:retries=scheduled
    Scenario Outline: What is sent once more is tried once: <first>, after <seconds> seconds
      Given a webhook receiver
      And the receiver answers "<first>"
      And a company
      And the receiver has got 1 delivery
      And the tester calls "POST /deliveries/{delivery}/resend" with "{}"
      And the receiver has got 2 deliveries
      When <seconds> seconds pass
      Then the receiver has got <n> deliveries

      Examples:
        | first         | seconds | n |
        | 500, 200      | 60      | 3 |
        | 200, 500, 200 | 4       | 2 |
        | 200, 500, 200 | 60      | 3 |
        | 500, 500, 200 | 60      | 4 |

    @needs:control @choice:event-order=causal @choice:kyb-sandbox=event
    Scenario Outline: Deliveries go wrong until as many did as were asked for: <profile>
      Given a webhook receiver
      And the tester calls "POST /webhooks/{webhook}/profile" with "<profile>"
      And a company
      And another company
      When 1 hour passes
      Then the receiver has got <n> deliveries

      Examples:
        | profile                                 | n |
        | {'profile':'duplicate','next':1}        | 3 |
        | {'profile':'duplicate','next':2}        | 4 |
        | {'profile':'duplicate','next':3}        | 4 |
        | {'profile':'duplicate','next':0}        | 4 |
        | {'profile':'delay','next':1}            | 2 |
        | {'profile':'reorder','next':1}          | 2 |
        | {'profile':'burst','next':1}            | 2 |
        | {'profile':'duplicate,delay','next':1}  | 3 |
        | {'profile':'parallel-duplicate','next':1} | 3 |

    @needs:control @choice:event-order=causal @choice:kyb-sandbox=event @choice:retries=scheduled
    Scenario: An attempt that is made again does not count
      Given a webhook receiver with the secret "s3cret"
      And the receiver answers "500, 200"
      And the tester calls "POST /webhooks/{webhook}/profile" with "{'profile':'missing-signature','next':2}"
      And a company
      And the receiver has got 1 delivery
      When 1 hour passes
      Then the receiver has got 2 deliveries
      And the sandbox shows "the webhooks" as:
        """
        {"webhooks":[{"id":"{webhook}","url":"{receiver}","secret":"s3cret","events":["COMPANY_VERIFICATION_STATUS_CHANGED","PAYMENT_STATUS_CHANGED"],
        "profile":"missing-signature","next":1,"forStatus":"","status":"Enabled","created":"2026-03-02T17:00:00Z","pending":0}]}
        """

    @needs:control @choice:event-order=causal @choice:payment-timing=five-seconds
    Scenario Outline: Deliveries that tell one status go wrong: <profile>
      Given a company
      And a registered payer
      And a webhook receiver
      And the tester calls "POST /webhooks/{webhook}/profile" with "<profile>"
      And a payment request
      And "approve" happens to the payment
      When 2 hours pass
      Then the deliveries tell of "<told>"

      Examples:
        | profile                                                    | told                         |
        | {'profile':'duplicate','forStatus':'Paid'}                 | Processing, Paid, Paid       |
        | {'profile':'duplicate','forStatus':'Processing','next':1}  | Processing, Processing, Paid |
        | {'profile':'duplicate','forStatus':'Failed','next':1}      | Processing, Paid             |
        | {'profile':'delay','forStatus':'Processing','next':1}      | Processing, Paid             |
        | {'profile':'reorder','forStatus':'Processing'}             | Paid, Processing             |

    @needs:control @choice:event-order=causal @choice:kyb-sandbox=event
    Scenario Outline: What was held back goes out when deliveries are well again: <profile>
      Given a webhook receiver
      And the deliveries go wrong by "<profile>"
      And a company
      When the tester calls "POST /webhooks/{webhook}/profile" with "{'profile':'<then>'}"
      Then the receiver has got <n> deliveries

      Examples:
        | profile | then      | n |
        | burst   |           | 1 |
        | burst   | duplicate | 2 |
        | burst   | reorder   | 0 |
        | reorder |           | 1 |
        | reorder | burst     | 1 |
        | delay   |           | 0 |

    @needs:control @choice:event-order=causal @choice:rate-limit=none
    Scenario Outline: A burst of <n> events
      Given a company
      And a payer
      And a saved card "approved"
      And a webhook receiver
      And the deliveries go wrong by "burst"
      When the partner charges the saved card <n> times
      Then the receiver has got <got> deliveries

      Examples:
        | n  | got |
        | 9  | 0   |
        | 10 | 10  |
        | 11 | 10  |

    @needs:control @choice:event-order=causal @choice:kyb-sandbox=event @choice:retries=scheduled
    Scenario: An address that is taken out gets nothing more, and another one all that is new
      Given a webhook receiver
      And the receiver answers "500"
      And a company
      And the receiver has got 1 delivery
      And the tester calls "DELETE /webhooks/{webhook}"
      And a webhook receiver
      When the partner registers a company with companyReferenceId "loc-002"
      Then the receiver has got 1 delivery

  @clause:event.delivery.gone
  Rule: A receiver that is gone gets nothing more

    @needs:control @choice:kyb-sandbox=event
    Scenario: 410 ends the registration
      Given a webhook receiver
      And the receiver answers "410"
      And a company
      And 1 second passes
      And another company
      When 10 days pass
      Then the receiver has got 1 delivery

    @needs:control @choice:event-order=causal @choice:kyb-sandbox=event @choice:retries=scheduled
    Scenario: What waits for a receiver that is gone is given up with it
      Given a webhook receiver
      And the receiver answers "500, 410, 200"
      And a company
      And the receiver has got 1 delivery
      And another company
      And the receiver has got 2 deliveries
      When 10 days pass
      Then the receiver has got 2 deliveries

    @needs:control @choice:event-order=causal @choice:kyb-sandbox=event
    Scenario: A receiver that is back gets what is new
      Given a webhook receiver
      And the receiver answers "410, 200"
      And a company
      And the receiver has got 1 delivery
      And the tester calls "POST /webhooks/{webhook}/enable"
      And another company
      When 1 day passes
      Then the receiver has got 2 deliveries

    @needs:control @choice:event-order=causal @choice:kyb-sandbox=event
    Scenario: Nothing is sent once more to a receiver that is gone
      Given a webhook receiver
      And the receiver answers "410"
      And a company
      And the receiver has got 1 delivery
      When the tester calls "POST /deliveries/{delivery}/resend" with "{}"
      Then the service refuses it as a conflict

  @clause:event.delivery.order
  Rule: The events about one payment come in the order in which things happened

    @needs:control @choice:payment-timing=five-seconds @choice:retries=scheduled
    Scenario: Also when the first one fails at first
      Given a company
      And a registered payer
      And a webhook receiver
      And the receiver answers "500, 200"
      And a payment request
      And "approve" happens to the payment
      When 1 minute passes
      Then the deliveries tell of "Processing, Processing, Paid"

    @needs:control @choice:event-order=causal @choice:payment-timing=five-seconds
    Scenario Outline: A receiver can be tried with another order: <profile>
      Given a company
      And a registered payer
      And a webhook receiver
      And the deliveries go wrong by "<profile>"
      And a payment request
      And "approve" happens to the payment
      When 2 hours pass
      Then the deliveries tell of "<told>"

      Examples:
        | profile   | told                                 |
        | reorder   | Paid, Processing                     |
        | duplicate | Processing, Processing, Paid, Paid   |
        | delay     | Processing, Paid                     |
        | burst     | Processing, Paid                     |

    @needs:control @choice:event-order=causal @choice:payment-timing=five-seconds
    Scenario: A delivery that was held back comes right behind the one that overtakes it
      Given a company
      And a registered payer
      And a webhook receiver
      And the deliveries go wrong by "reorder"
      And a payment request
      And "approve" happens to the payment
      When 5 seconds pass
      Then the deliveries tell of "Paid, Processing"

    @needs:control @choice:event-order=causal @choice:kyb-sandbox=event
    Scenario Outline: How long a delivery waits at least: <profile>
      Given a webhook receiver
      And the deliveries go wrong by "<profile>"
      And a company
      When <seconds> seconds pass
      Then the receiver has got 0 deliveries

      Examples:
        | profile | seconds |
        | delay   | 59      |
        | burst   | 59      |
        | reorder | 59      |

    @needs:control @choice:event-order=causal @choice:kyb-sandbox=event
    Scenario Outline: How long a delivery waits at most: <profile>
      Given a webhook receiver
      And the deliveries go wrong by "<profile>"
      And a company
      When <minutes> minutes pass
      Then the receiver has got 1 delivery

      Examples:
        | profile | minutes |
        | delay   | 60      |
        | burst   | 1       |
        | reorder | 1       |

    @needs:control @choice:event-order=causal @choice:kyb-sandbox=event @choice:payment-timing=five-seconds @choice:retries=scheduled
    Scenario: Two events are owed after one has arrived
      Given a webhook receiver
      And the receiver answers "200, 500, 500, 200"
      And a company
      And the receiver has got 1 delivery
      And a payment request
      And "approve" happens to the payment
      When 1 hour passes
      Then the deliveries tell of "Verified, Processing, Processing, Processing, Paid"

    @needs:control @choice:event-order=causal @choice:kyb-sandbox=event @choice:rate-limit=none
    Scenario Outline: What is held back goes out when the sandbox has gone back: <profile>
      Given a webhook receiver
      And the tester calls "POST /webhooks/{webhook}/profile" with "<profile>"
      And a company
      And another company
      And the sandbox is saved in a file
      And the sandbox goes back to what was saved
      When 1 hour passes
      Then the receiver has got <n> deliveries

      Examples:
        | profile                                                        | n |
        | {'profile':'burst'}                                            | 2 |
        | {'profile':'reorder'}                                          | 2 |
        | {'profile':'delay','next':3}                                   | 2 |
        | {'profile':'delay,duplicate','forStatus':'Verified','next':5}  | 4 |

  @clause:event.delivery.after-answer
  Rule: An event comes after the call that caused it was answered

    @needs:control @choice:event-order=causal @choice:kyb-sandbox=event
    Scenario: The call does not wait for the receiver
      Given a webhook receiver that waits for the partner's call
      When the partner registers a company
      Then the event has come after the answer

    @needs:control @choice:event-order=causal @choice:kyb-sandbox=event
    Scenario: The company is known when the event comes
      Given a webhook receiver
      When the partner registers a company
      Then the last delivery's Data.CompanyId is "the company's id"
