@area:payments
Feature: A partner follows payments to their end

  @clause:payment.status @surface:docs
  Rule: A payment's status is answered with its amount and dates

    @choice:null-or-absent=null
    Scenario: A new payment
      Given a company
      And a payer
      And a payment request with amount "4321"
      When the partner asks for the payment's status
      Then the answer's status is "Pending"
      And the answer's amount.value is "4321"
      And the answer's amount.currency is "USD"
      And the answer's dueDate is null

    @choice:dates=seconds
    Scenario: A due date is answered as a moment
      Given a company
      And a payer
      And a payment request with dueDate "2026-04-01"
      When the partner asks for the payment's status
      Then the answer's dueDate is "2026-04-01T00:00:00Z"

  @clause:payment.status.unknown
  Rule: A payment that the integration does not have is unknown

    Scenario Outline: <deed>
      Given a company
      When the partner <deed>
      Then the service refuses it as unknown

      Examples:
        | deed                                       |
        | asks for the status of an unknown payment  |
        | asks for the details of an unknown payment |
        | cancels an unknown payment                 |
        | refunds an unknown payment                 |

    @needs:control
    Scenario Outline: The other partner <deed>
      Given a company
      And a payer
      And a payment request
      And another partner
      When the other partner <deed>
      Then the service refuses it as unknown

      Examples:
        | deed                           |
        | asks for the payment's status  |
        | asks for the payment's details |
        | cancels the payment            |
        | refunds the payment            |

    @needs:control
    Scenario: Nobody shows it either
      Given a company
      When the partner asks for the status of an unknown payment
      Then the sandbox shows "something else" as:
        """
        {"type":"urn:paysandbox:problem:not-found","title":"There is no such thing","status":404,"detail":"no entity has the id {unknown}; /_sandbox/integrations/{integration}/entities?q= searches","instance":"/_sandbox/integrations/{integration}/entities/{unknown}","traceId":"","errors":{},
        "findings":[]}
        """

    @needs:control
    Scenario: Nobody can say why
      Given a company
      When the partner asks for the status of an unknown payment
      Then the sandbox shows "why something else is so" as:
        """
        {"type":"urn:paysandbox:problem:not-found","title":"There is no such thing","status":404,"detail":"nothing on the tape is about {unknown}","instance":"/_sandbox/integrations/{integration}/why/{unknown}","traceId":"","errors":{},
        "findings":[]}
        """

    @needs:control
    Scenario Outline: <page>
      Given a company
      When the payer opens the <page>
      Then the page answers with the status 404
      And the page says "<words>"

      Examples:
        | page                       | words                                         |
        | page of an unknown payment | Nothing in this sandbox belongs to this link. |
        | page that is not there     | There is no page at this address.             |

  @clause:payment.status.machine
  Rule: A payment moves along the published states

    @needs:control
    Scenario Outline: <event> of a <from> payment
      Given a payment that is "<from>"
      When "<event>" happens to the payment
      Then the payment is "<to>"

      Examples:
        | from       | event    | to         |
        | Pending    | approve  | Processing |
        | Pending    | schedule | Scheduled  |
        | Pending    | queue    | Queued     |
        | Pending    | review   | InReview   |
        | Pending    | deny     | Denied     |
        | Pending    | cancel   | Canceled   |
        | Scheduled  | process  | Processing |
        | Scheduled  | cancel   | Canceled   |
        | Queued     | process  | Processing |
        | Queued     | cancel   | Canceled   |
        | InReview   | process  | Processing |
        | InReview   | deny     | Denied     |
        | InReview   | cancel   | Canceled   |
        | Processing | pay      | Paid       |
        | Processing | fail     | Failed     |
        | Paid       | return   | Failed     |

    @needs:control @choice:rate-limit=none
    Scenario Outline: A <status> payment is as it was when the sandbox goes back
      Given a payment that is "<status>"
      And the sandbox is saved
      And the partner registers a terminal payment
      And the sandbox goes back to what was saved
      When the partner asks for the transaction report
      Then the answer lists 1 transactions
      And the answer's transactions[0].amount is "5000"
      And the payment is "<status>"

      Examples:
        | status     |
        | Scheduled  |
        | Processing |
        | Paid       |
        | Failed     |

    @needs:control @choice:rate-limit=none
    Scenario: What becomes of payments is the same when the sandbox goes back
      Given a payment that is "Processing"
      And the sandbox is saved in a file
      And 5 days pass
      And the partner asks for the transaction report
      And "return" happens to the payment
      When the partner asks for the payment's details
      Then the call is accepted without advice
      And the sandbox goes back and the same is done again

    @needs:control @choice:kyb-sandbox=event @choice:payment-machine=late-return
    Scenario: What the sandbox shows of a payment
      Given a payment that is "Processing"
      When "pay" happens to the payment
      Then the sandbox shows "the payment" as:
        """
        {"kind":"payment","id":"{payment}","machine":"payment","status":"Paid","summary":"$50.00 from pat.lindgren@example.com to Hillside Fitness: Membership, October","amount":5000,"created":"2026-03-02T17:00:00Z","changed":"2026-03-02T17:00:00Z","relations":[{"relation":"company","kind":"company","id":"{company}"},
        {"relation":"payer","kind":"registration","id":"{payer}"},{"relation":"location","kind":"location","id":"{location}"}],
        "console":"/console/{integration}/entities/{payment}","facts":[{"name":"paymentType","value":"PaymentRequest"},{"name":"refundedAmount","value":"0"},
        {"name":"shortDescription","value":"Membership, October"},{"name":"reference","value":"invoice-1001"},
        {"name":"metadata","value":"{\"invoice\":\"1001\"}"},{"name":"returnUrl","value":"https://partner.example.com/paid"},
        {"name":"feePayer","value":"client"}],
        "page":"{service}/pages/{integration}/pay/{payment}","visited":[{"seq":14,"cause":13,"at":"2026-03-02T17:00:00Z","event":"create","from":"","to":"Pending","reason":""},
        {"seq":18,"cause":17,"at":"2026-03-02T17:00:00Z","event":"approve","from":"Pending","to":"Processing","reason":"decided by control call"},
        {"seq":21,"cause":20,"at":"2026-03-02T17:00:00Z","event":"pay","from":"Processing","to":"Paid","reason":"decided by control call"}],
        "moves":[{"event":"return","to":"Failed","method":"POST","path":"/_sandbox/integrations/{integration}/payments/{payment}/return","body":""}],
        "related":[{"kind":"company","id":"{company}","machine":"company","status":"Verified","summary":"Hillside Fitness","amount":null,"created":"2026-03-02T17:00:00Z","changed":"2026-03-02T17:00:00Z","relations":[],
        "console":"/console/{integration}/entities/{company}"},
        {"kind":"registration","id":"{payer}","machine":"registration","status":"Registered","summary":"pat.lindgren@example.com","amount":null,"created":"2026-03-02T17:00:00Z","changed":"2026-03-02T17:00:00Z","relations":[],
        "console":"/console/{integration}/entities/{payer}"},
        {"kind":"location","id":"{location}","machine":"","status":"","summary":"Hillside Downtown","amount":null,"created":null,"changed":null,"relations":[{"relation":"company","kind":"company","id":"{company}"}],
        "console":"/console/{integration}/entities/{location}"}],"deliveries":[],
        "messages":[{"seq":15,"at":"2026-03-02T17:00:00Z","channel":"sms","to":"+12025550123","template":"payment-request","entity":"{payment}","subject":"","text":"Hillside Fitness asks you to pay $50.00 for: Membership, October.\n\nSee and pay the request:\n{service}/pages/{integration}/pay/{payment}\n","html":"","links":["{service}/pages/{integration}/pay/{payment}"],
        "codes":[],"bounced":false},
        {"seq":16,"at":"2026-03-02T17:00:00Z","channel":"email","to":"pat.lindgren@example.com","template":"payment-request","entity":"{payment}","subject":"Hillside Fitness asks you for $50.00","text":"Hillside Fitness asks you to pay $50.00 for: Membership, October.\n\nSee and pay the request:\n{service}/pages/{integration}/pay/{payment}\n","html":"<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>Hillside Fitness asks you for $50.00</title></head>\n<body>\n<p>Hillside Fitness asks you to pay $50.00 for: Membership, October.</p>\n<p><a href=\"{service}/pages/{integration}/pay/{payment}\">See and pay the request</a></p><p>This is a message of a test system. No money moves.</p>\n</body>\n</html>\n","links":["{service}/pages/{integration}/pay/{payment}"],
        "codes":[],"bounced":false}],"entries":[13,14,15,16,17,18,19,20,21,22],"omitted":0,"gap":null}
        """

    @needs:control @choice:kyb-sandbox=event
    Scenario: Why a payment is what it is
      Given a payment that is "Processing"
      When "fail" happens to the payment
      Then the sandbox shows "why the payment is so" as:
        """
        {"entity":"{payment}","machine":"payment","state":"Failed","steps":[{"seq":21,"cause":20,"at":"2026-03-02T17:00:00Z","kind":"transition","says":"The payment went from Processing to Failed by fail: decided by control call.","entities":["{payment}"]},
        {"seq":20,"cause":0,"at":"2026-03-02T17:00:00Z","kind":"control","says":"The control call POST /_sandbox/integrations/{integration}/payments/{payment}/fail (movePayment) was answered with 200.","entities":["{payment}"]}],
        "complete":true,"gap":null}
        """

    @needs:control
    Scenario: The payments that are Paid
      Given a payment that is "Paid"
      And a payment that is "Denied"
      When the partner requests a payment
      Then the sandbox shows "the payments that are Paid" as:
        """
        {"entities":[{"kind":"payment","id":"{id}","machine":"payment","status":"Paid","summary":"$50.00 from pat.lindgren@example.com to Hillside Fitness: Membership, October","amount":5000,"created":"2026-03-02T17:00:00Z","changed":"2026-03-02T17:00:00Z","relations":[{"relation":"company","kind":"company","id":"{company}"},
        {"relation":"payer","kind":"registration","id":"{payer}"},{"relation":"location","kind":"location","id":"{location}"}],
        "console":"/console/{integration}/entities/{id}"}],"next":null,"searched":3,"total":3,"kinds":[{"kind":"company","total":1},
        {"kind":"location","total":1},{"kind":"registration","total":1},{"kind":"payment","total":3},{"kind":"card-authorisation","total":0},
        {"kind":"saved-card","total":0},{"kind":"refund","total":0},{"kind":"debit-authorisation","total":0},{"kind":"plan","total":0},
        {"kind":"consent","total":0},{"kind":"card-payment","total":0}]}
        """

    @needs:control @choice:account-mask=asterisk @choice:dates=seconds @choice:kyb-sandbox=event
    Scenario: What was called about a payment
      Given a payment that is "Pending"
      When "cancel" happens to the payment
      Then the sandbox shows "the calls about the payment" as:
        """
        {"tape":1,"toolVersion":0,"seed":0,"environment":"sandbox","start":"2026-03-02T17:00:00Z","integration":"{integration}","clock":"manual","first":1}{"seq":17,"at":"2026-03-02T17:00:00Z","kind":"control","entities":["{payment}"],
        "exchange":{"operation":"movePayment","method":"POST","path":"/_sandbox/integrations/{integration}/payments/{payment}/cancel","request":{"header":[{"name":"Host","value":"{id}"},
        {"name":"Content-Type","value":"application/json"},{"name":"User-Agent","value":"{id}"}],"body":"{}"},
        "response":{"status":200,"header":[{"name":"Sandbox-Exchange","value":"17"},{"name":"Sandbox-Time","value":"2026-03-02T17:00:00Z"},
        {"name":"Content-Type","value":"application/json; charset=utf-8"}],
        "body":"{\"id\":\"{payment}\",\"status\":\"Canceled\",\"amount\":{\"value\":5000,\"currency\":\"USD\"},
        \"creationDate\":\"2026-03-02T17:00:00Z\",\"dueDate\":null}"}}}
        """

    @needs:control @choice:account-mask=asterisk @choice:dates=seconds @choice:kyb-sandbox=event
    Scenario: The last change of state
      Given a payment that is "Pending"
      When "cancel" happens to the payment
      Then the sandbox shows "the last change" as:
        """
        {"tape":1,"toolVersion":0,"seed":0,"environment":"sandbox","start":"2026-03-02T17:00:00Z","integration":"{integration}","clock":"manual","first":1}{"seq":3,"cause":2,"at":"2026-03-02T17:00:00Z","kind":"transition","entities":["{company}"],
        "transition":{"machine":"company","entity":"{company}","to":"Unverified","event":"create"}}{"seq":4,"cause":2,"at":"2026-03-02T17:00:00Z","kind":"transition","entities":["{company}"],
        "transition":{"machine":"company","entity":"{company}","from":"Unverified","to":"Verified","event":"verify","reason":"environment sandbox verifies every company"}}{"seq":8,"cause":7,"at":"2026-03-02T17:00:00Z","kind":"transition","entities":["{payer}"],
        "transition":{"machine":"registration","entity":"{payer}","to":"Pending","event":"create"}}{"seq":12,"cause":11,"at":"2026-03-02T17:00:00Z","kind":"transition","entities":["{payer}"],
        "transition":{"machine":"registration","entity":"{payer}","from":"Pending","to":"Registered","event":"complete","reason":"the payer linked a bank and passed the identity check"}}{"seq":14,"cause":13,"at":"2026-03-02T17:00:00Z","kind":"transition","entities":["{payment}"],
        "transition":{"machine":"payment","entity":"{payment}","to":"Pending","event":"create"}}{"seq":18,"cause":17,"at":"2026-03-02T17:00:00Z","kind":"transition","entities":["{payment}"],
        "transition":{"machine":"payment","entity":"{payment}","from":"Pending","to":"Canceled","event":"cancel","reason":"decided by control call"}}
        """

  @clause:payment.status.refused-moves @surface:docs
  Rule: A payment makes no other move

    @needs:control
    Scenario Outline: No <event> of a <from> payment
      Given a payment that is "<from>"
      When "<event>" is tried on the payment
      Then the move is refused
      And the payment is "<from>"

      Examples:
        | from       | event   |
        | Pending    | pay     |
        | Pending    | process |
        | Pending    | fail    |
        | Pending    | return  |
        | Scheduled  | approve |
        | Scheduled  | pay     |
        | Queued     | deny    |
        | Queued     | pay     |
        | InReview   | pay     |
        | Processing | cancel  |
        | Processing | approve |
        | Processing | deny    |
        | Processing | return  |
        | Paid       | cancel  |
        | Paid       | pay     |
        | Paid       | fail    |
        | Failed     | pay     |
        | Failed     | cancel  |
        | Failed     | approve |
        | Denied     | approve |
        | Denied     | cancel  |
        | Canceled   | approve |
        | Canceled   | cancel  |

  @clause:payment.status.paid @surface:docs
  Rule: An approved payment is Paid a few seconds later

    @needs:control
    Scenario: Before the time
      Given a payment that is "Processing"
      When 4 seconds pass
      Then the payment is "Processing"

    @needs:control
    Scenario: After the time
      Given a payment that is "Processing"
      When 5 seconds pass
      Then the payment is "Paid"

  @clause:payment.status.scheduled
  Rule: A payment that is due later waits for the daily batch of its day

    @needs:control
    Scenario: Approved ahead of its day
      Given a company
      And a registered payer
      And a payment request with dueDate "in 10 days"
      When "approve" happens to the payment
      Then the payment is "Scheduled"

    @needs:control
    Scenario: Just before the batch
      Given a company
      And a registered payer
      And a payment request with dueDate "2026-03-12"
      And "approve" happens to the payment
      When the clock reaches "2026-03-12T17:59:59Z"
      Then the payment is "Scheduled"

    @needs:control
    Scenario: At eleven in the morning, Pacific time
      Given a company
      And a registered payer
      And a payment request with dueDate "2026-03-12"
      And "approve" happens to the payment
      When the clock reaches "2026-03-12T18:00:00Z"
      Then the payment is "Processing"

    @needs:control
    Scenario: Due today means now
      Given a company
      And a registered payer
      And a payment request with dueDate "today"
      When "approve" happens to the payment
      Then the payment is "Processing"

    @needs:control
    Scenario: What is waited for
      Given a company
      And a registered payer
      And a payment request with dueDate "2026-03-09"
      When "approve" happens to the payment
      Then the sandbox shows "what is due" as:
        """
        {"now":"2026-03-02T17:00:00Z","due":[{"at":"2026-03-09T18:00:00Z","timer":"daily-batch","says":"the daily batch takes a Scheduled payment","entity":"{payment}","kind":"payment","status":"Scheduled","summary":"$50.00 from pat.lindgren@example.com to Hillside Fitness: Membership, October"}],
        "total":1}
        """

    @needs:control @choice:account-mask=asterisk @choice:dates=seconds @choice:event-timestamp=present @choice:kyb-sandbox=event @choice:live=false @choice:payment-event=amount-number @choice:payment-timing=five-seconds
    Scenario: What ten days will bring
      Given a company
      And a registered payer
      And a payment request with dueDate "2026-03-09"
      When "approve" happens to the payment
      Then the sandbox shows "the next ten days" as:
        """
        {"from":"2026-03-02T17:00:00Z","now":"2026-03-12T17:00:00Z","fired":[{"seq":21,"cause":17,"at":"2026-03-09T18:00:00Z","kind":"timer","entities":["{payment}"],
        "timer":{"name":"daily-batch","due":"2026-03-09T18:00:00Z","scheduled":17}},
        {"seq":22,"cause":21,"at":"2026-03-09T18:00:00Z","kind":"transition","entities":["{payment}"],
        "transition":{"machine":"payment","entity":"{payment}","from":"Scheduled","to":"Processing","event":"process","reason":"the daily batch of the due date"}},
        {"seq":23,"cause":21,"at":"2026-03-09T18:00:00Z","kind":"event","entities":["{payment}"],
        "event":{"name":"PAYMENT_STATUS_CHANGED","id":"{id}","body":"{\"Live\":false,\"Event\":\"PAYMENT_STATUS_CHANGED\",\"Data\":{\"PaymentId\":\"{payment}\",\"RegistrationId\":\"{payer}\",\"Amount\":5000,\"Currency\":\"USD\",\"Status\":\"Processing\",\"Timestamp\":\"2026-03-09T18:00:00Z\",\"AccountNumberMasked\":\"*1111\"}}"}},
        {"seq":24,"cause":21,"at":"2026-03-09T18:00:05Z","kind":"timer","entities":["{payment}"],
        "timer":{"name":"payment-settle","due":"2026-03-09T18:00:05Z","scheduled":21}},
        {"seq":25,"cause":24,"at":"2026-03-09T18:00:05Z","kind":"transition","entities":["{payment}"],
        "transition":{"machine":"payment","entity":"{payment}","from":"Processing","to":"Paid","event":"pay","reason":"the payment settled"}},
        {"seq":26,"cause":24,"at":"2026-03-09T18:00:05Z","kind":"event","entities":["{payment}"],
        "event":{"name":"PAYMENT_STATUS_CHANGED","id":"{id}","body":"{\"Live\":false,\"Event\":\"PAYMENT_STATUS_CHANGED\",\"Data\":{\"PaymentId\":\"{payment}\",\"RegistrationId\":\"{payer}\",\"Amount\":5000,\"Currency\":\"USD\",\"Status\":\"Paid\",\"Timestamp\":\"2026-03-09T18:00:05Z\",\"AccountNumberMasked\":\"*1111\"}}"}}],
        "omitted":0,"receivers":"what receivers would answer is not known: events that would leave are taken as on their way"}
        """

    @needs:control
    Scenario: The company's back office tells when a payment is due
      Given a payment that is "Scheduled" with:
        | dueDate | in 10 days |
      When the company looks at the payment in its back office
      Then the page's due is "March 12, 2026"

    @needs:control
    Scenario: The company's back office names a payer of whom nothing is known
      Given a company
      And the partner registers a payer with:
        | email        | nothing |
        | mobileNumber | nothing |
      And a payment request with emailAddress "nothing"
      When the company looks at the payment in its back office
      Then the page's payer is "unknown"

  @clause:payment.status.account @surface:docs
  Rule: The payer's account decides how an approved payment goes on

    @needs:control
    Scenario Outline: An account of the bank "<bank>"
      Given a company
      And a registered payer at the bank "<bank>"
      And a payment request
      When "approve" happens to the payment
      Then the payment is "<status>"

      Examples:
        | bank                     | status     |
        | good                     | Processing |
        | slow                     | Queued     |
        | under-review             | InReview   |
        | insufficient-funds       | Failed     |
        | closed-account           | Failed     |
        | unauthorised-late-return | Processing |

    @needs:control @choice:payment-machine=late-return
    Scenario Outline: <bank> after <days> days
      Given a company
      And a registered payer at the bank "<bank>"
      And a payment request
      And "approve" happens to the payment
      When <days> days pass
      Then the payment is "<status>"

      Examples:
        | bank                     | days | status |
        | slow                     | 7    | Paid   |
        | under-review             | 7    | Paid   |
        | unauthorised-late-return | 7    | Failed |

    @needs:control @choice:payment-machine=late-return @choice:payment-timing=five-seconds
    Scenario Outline: The account <account> after <days> days
      Given a company
      And a payer
      And the tester calls "POST /registrations/{payer}/complete" with "{'accountNumber':'<account>'}"
      And a payment request
      And "approve" happens to the payment
      When <days> days pass
      Then the payment is "<status>"

      Examples:
        | account      | days | status     |
        | 000000110001 | 0    | Processing |
        | 000000110001 | 1    | Processing |
        | 000000110001 | 7    | Failed     |
        | 000000210010 | 1    | Paid       |
        | 000000210010 | 7    | Failed     |
        | 000000310010 | 58   | Paid       |
        | 000000310010 | 60   | Failed     |
        | 000000010002 | 0    | Failed     |
        | 424242424242 | 7    | Paid       |

  @clause:payment.status.canceled-stays
  Rule: Nothing is collected after a payment was cancelled

    @needs:control
    Scenario: A scheduled payment that is cancelled
      Given a company
      And a registered payer
      And a payment request with dueDate "in 3 days"
      And "approve" happens to the payment
      And the partner cancels the payment
      When 10 days pass
      Then the payment is "Canceled"
