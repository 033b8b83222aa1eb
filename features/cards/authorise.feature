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

    @needs:control
    Scenario: The page asks for a card
      Given a company
      And a payer
      And the partner asks for a card authorisation
      When the payer opens the card page
      Then the page says "Pay Hillside Fitness by card"
      And the page's amount is "$50.00"
      And the page's card-4242 is "4242 4242 4242 4242"
      And the page is, with all that it can send:
        """
        Pay Hillside Fitness by card $50.00 To Hillside Fitness Card Saved for later payments [form
        action=/pages/{opaque}/card/{opaque}] [input type=hidden name=csrf value={opaque}] Card number A test card of the list
        below, never a real one. [input name=number type=text value inputmode=numeric autocomplete=off maxlength=40
        aria-describedby=number-hint] Expiry MM/YY [input name=expiry type=text value autocomplete=off maxlength=9
        aria-describedby=expiry-hint] Card code 3 digits, Amex 4 [input name=code type=text value inputmode=numeric
        autocomplete=off maxlength=4 aria-describedby=code-hint] [button name=answer value=card] Authorise $50.00 Test cards Any
        month to come and any code will do. The number decides what happens. 4242 4242 4242 4242 visa Approved. Authorised and
        charged. 5555 5555 5555 4444 mastercard Approved. Authorised and charged. 3782 8224 6310 005 amex Approved. Authorised and
        charged; the card code has four digits. 6011 1111 1111 1117 discover Approved. Authorised and charged. 4000 0000 0000 0002
        visa Declined. The issuer declines without a reason. 4000 0000 0000 9995 visa Insufficient funds. The issuer declines for
        lack of funds. 4000 0000 0000 0069 visa Expired card. The issuer says that the card has expired, whatever date is typed.
        4000 0000 0000 0127 visa Wrong card code. The issuer says that the card code is wrong, whatever code is typed. 4000 0000
        0000 3220 visa Challenge, then approved. The payer is asked to confirm; when the payer does, the card is approved. 4000
        0000 0000 3287 visa Challenge, then declined. The payer is asked to confirm, and the confirmation fails whatever the payer
        does. 4000 0000 0000 0119 visa Processor error. The processor breaks; nothing is charged. 4000 0000 0000 0341 visa Saved,
        later declined. Authorised and saved; every later charge of the saved card is declined.
        """

    @needs:control
    Scenario Outline: The page takes the card <number>
      Given a company
      And a payer
      And the partner asks for a card authorisation
      And the payer opens the card page
      When the payer answers the page with:
        | number | <number> |
        | expiry | 12/30    |
        | code   | <code>   |
      Then the card authorisation is "<status>"

      Examples:
        | number              | code | status     |
        | 4242 4242 4242 4242 | 123  | Authorised |
        | 378282246310005     | 1234 | Authorised |
        | 4000000000000002    | 123  | Declined   |
        | 4000000000003220    | 123  | Challenged |
        | 4000000000000119    | 123  | Pending    |

    @needs:control
    Scenario Outline: A card that cannot be: <what>
      Given a company
      And a payer
      And the partner asks for a card authorisation
      And the payer opens the card page
      When the payer answers the page with:
        | number | <number> |
        | expiry | <expiry> |
        | code   | <code>   |
      Then the page answers with the status 400
      And the page says "<told>"
      And the card authorisation is "Pending"

      Examples:
        | what            | number           | expiry  | code | told                                    |
        | no number       |                  | 12/30   | 123  | Type a test card of the list, for example 4242424242424242. |
        | a real number   | 4111111111111111 | 12/30   | 123  | Unknown                                 |
        | no month        | 4242424242424242 | 13/30   | 123  | Type a month that is not over, as MM/YY |
        | a month is over | 4242424242424242 | 02/26   | 123  | Type a month that is not over, as MM/YY |
        | a short code    | 4242424242424242 | 12/30   | 12   | Type three digits                       |
        | Amex with three | 378282246310005  | 12/30   | 123  | four for American Express               |

    @needs:control @choice:return-url=encrypted
    Scenario Outline: A card is good through its last month: <expiry>
      Given a company
      And a payer
      And the partner asks for a card authorisation
      And the payer opens the card page
      When the payer answers the page with:
        | number | 4242424242424242 |
        | expiry | <expiry>         |
        | code   | 123              |
      Then the card authorisation is "Authorised"
      And the payer has left for "https://partner.example.com/card"

      Examples:
        | expiry  |
        | 03/26   |
        | 03/2026 |
        | 12 / 30 |

    @needs:control
    Scenario Outline: The page says why a card was declined: <number>
      Given a company
      And a payer
      And the partner asks for a card authorisation with returnUrl "nothing"
      And the payer opens the card page
      When the payer answers the page with:
        | number | <number> |
        | expiry | 12/30    |
        | code   | 123      |
      Then the page's status is "Declined"
      And the page says "<told>"
      And the page's amount is "$50.00"

      Examples:
        | number           | told                                                     |
        | 4000000000000002 | The issuer declined the card and gave no reason.         |
        | 4000000000009995 | there is not enough money on it                          |
        | 4000000000000069 | it has expired                                           |
        | 4000000000000127 | its code is wrong                                        |

    @needs:control
    Scenario: The processor's problem is told and the card can be typed again
      Given a company
      And a payer
      And the partner asks for a card authorisation
      And the payer opens the card page
      When the payer answers the page with:
        | number | 4000000000000119 |
        | expiry | 12/30            |
        | code   | 123              |
      Then the page answers with the status 200
      And the page says "The card processor has a problem. Nothing was charged. Try again, or use another card."
      And the page is, with all that it can send:
        """
        Pay Hillside Fitness by card $50.00 The card processor has a problem. Nothing was charged. Try again, or use another card.
        To Hillside Fitness Card Saved for later payments [form action=/pages/{opaque}/card/{opaque}] [input type=hidden name=csrf
        value={opaque}] Card number A test card of the list below, never a real one. [input name=number type=text value
        inputmode=numeric autocomplete=off maxlength=40 aria-describedby=number-hint] Expiry MM/YY [input name=expiry type=text
        value=12/30 autocomplete=off maxlength=9 aria-describedby=expiry-hint] Card code 3 digits, Amex 4 [input name=code
        type=text value inputmode=numeric autocomplete=off maxlength=4 aria-describedby=code-hint] [button name=answer value=card]
        Authorise $50.00 Test cards Any month to come and any code will do. The number decides what happens. 4242 4242 4242 4242
        visa Approved. Authorised and charged. 5555 5555 5555 4444 mastercard Approved. Authorised and charged. 3782 8224 6310 005
        amex Approved. Authorised and charged; the card code has four digits. 6011 1111 1111 1117 discover Approved. Authorised
        and charged. 4000 0000 0000 0002 visa Declined. The issuer declines without a reason. 4000 0000 0000 9995 visa
        Insufficient funds. The issuer declines for lack of funds. 4000 0000 0000 0069 visa Expired card. The issuer says that the
        card has expired, whatever date is typed. 4000 0000 0000 0127 visa Wrong card code. The issuer says that the card code is
        wrong, whatever code is typed. 4000 0000 0000 3220 visa Challenge, then approved. The payer is asked to confirm; when the
        payer does, the card is approved. 4000 0000 0000 3287 visa Challenge, then declined. The payer is asked to confirm, and
        the confirmation fails whatever the payer does. 4000 0000 0000 0119 visa Processor error. The processor breaks; nothing is
        charged. 4000 0000 0000 0341 visa Saved, later declined. Authorised and saved; every later charge of the saved card is
        declined.
        """

    @needs:control
    Scenario Outline: The payer answers the issuer: <answer> <code>
      Given a company
      And a payer
      And the partner asks for a card authorisation with returnUrl "nothing"
      And the payer types the card "challenge-passes"
      And the payer opens the card page
      When the payer answers the page with:
        | answer    | <answer> |
        | challenge | <code>   |
      Then the card authorisation is "<status>"
      And the page says "<told>"

      Examples:
        | answer  | code   | status     | told                                              |
        | confirm | 123456 | Authorised | Your card was accepted. Nothing more to do.       |
        | confirm | 654321 | Challenged | This is not the code.                             |
        | refuse  |        | Declined   | the payer said that it is not theirs              |
        | perhaps | 123456 | Challenged | Type the code, or say that this is not your payment |

    @needs:control
    Scenario: The page of a card that is authorised leads back
      Given a card authorisation that is "Authorised"
      When the payer opens the card page
      Then the page is, with all that it can send:
        """
        Card authorised Authorised Your card was accepted. Nothing more to do. Company Hillside Fitness Amount $50.00 Card visa 4242 [a
        href=https://partner.example.com/card] Go back to where you came from
        """

    @needs:control
    Scenario: What the message says
      Given a company
      And a payer
      When the partner asks for a card authorisation with contactNumber "nothing"
      Then the message "card-authorisation" gives the company as "Hillside Fitness"
      And the message "card-authorisation" gives the amount as "$50.00"
      And the message "card-authorisation" gives the link as "{card page}"
      And the message "card-authorisation" goes out by sms to "+12025550123"

    @needs:control
    Scenario Outline: Nothing is confirmed that nobody asked for: <answer>
      Given a company
      And a payer
      And the partner asks for a card authorisation
      And the payer opens the card page
      When the payer answers the page with:
        | answer | <answer> |
        | code   | 123456   |
      Then the page answers with the status 409

      Examples:
        | answer  |
        | confirm |
        | refuse  |

    @needs:control
    Scenario Outline: A month that cannot be: <expiry>
      Given a company
      And a payer
      And the partner asks for a card authorisation
      And the payer opens the card page
      When the payer answers the page with:
        | number | 4242424242424242 |
        | expiry | <expiry>         |
        | cvc    | 123              |
      Then the page answers with the status 400

      Examples:
        | expiry  |
        | 1/27    |
        | 12-27   |
        | 13/27   |
        | 00/27   |
        | ab/27   |
        | 12/2    |
        | 12/20x7 |

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

    @needs:control @choice:kyb-sandbox=event
    Scenario: What the sandbox shows of a card authorisation
      Given a card authorisation that is "Pending"
      When "authorise" happens to the card authorisation
      Then the sandbox shows "the card authorisation" as:
        """
        {"kind":"card-authorisation","id":"{card authorisation}","machine":"card-authorisation","status":"Authorised","summary":"a card for $50.00 of pat.lindgren@example.com","amount":5000,"created":"2026-03-02T17:00:00Z","changed":"2026-03-02T17:00:00Z","relations":[{"relation":"company","kind":"company","id":"{company}"},
        {"relation":"payer","kind":"registration","id":"{payer}"},{"relation":"location","kind":"location","id":"{location}"}],
        "console":"/console/{integration}/entities/{card authorisation}","facts":[{"name":"card","value":"visa 4242"},
        {"name":"returnUrl","value":"https://partner.example.com/card"}],
        "page":"{service}/pages/{integration}/card/{card authorisation}","visited":[{"seq":14,"cause":13,"at":"2026-03-02T17:00:00Z","event":"create","from":"","to":"Pending","reason":""},
        {"seq":18,"cause":17,"at":"2026-03-02T17:00:00Z","event":"authorise","from":"Pending","to":"Authorised","reason":"test card: approved"}],
        "moves":[{"event":"cancel","to":"Canceled","method":"POST","path":"/_sandbox/integrations/{integration}/cards/{card authorisation}/cancel","body":""}],
        "related":[{"kind":"company","id":"{company}","machine":"company","status":"Verified","summary":"Hillside Fitness","amount":null,"created":"2026-03-02T17:00:00Z","changed":"2026-03-02T17:00:00Z","relations":[],
        "console":"/console/{integration}/entities/{company}"},
        {"kind":"registration","id":"{payer}","machine":"registration","status":"Registered","summary":"pat.lindgren@example.com","amount":null,"created":"2026-03-02T17:00:00Z","changed":"2026-03-02T17:00:00Z","relations":[],
        "console":"/console/{integration}/entities/{payer}"},
        {"kind":"location","id":"{location}","machine":"","status":"","summary":"Hillside Downtown","amount":null,"created":null,"changed":null,"relations":[{"relation":"company","kind":"company","id":"{company}"}],
        "console":"/console/{integration}/entities/{location}"}],"deliveries":[],
        "messages":[{"seq":15,"at":"2026-03-02T17:00:00Z","channel":"sms","to":"+12025550123","template":"card-authorisation","entity":"{card authorisation}","subject":"","text":"Hillside Fitness asks you to authorise your card for $50.00.\n\nEnter your card:\n{service}/pages/{integration}/card/{card authorisation}\n","html":"","links":["{service}/pages/{integration}/card/{card authorisation}"],
        "codes":[],"bounced":false},
        {"seq":16,"at":"2026-03-02T17:00:00Z","channel":"email","to":"pat.lindgren@example.com","template":"card-authorisation","entity":"{card authorisation}","subject":"Hillside Fitness asks to authorise your card","text":"Hillside Fitness asks you to authorise your card for $50.00.\n\nEnter your card:\n{service}/pages/{integration}/card/{card authorisation}\n","html":"<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>Hillside Fitness asks to authorise your card</title></head>\n<body>\n<p>Hillside Fitness asks you to authorise your card for $50.00.</p>\n<p><a href=\"{service}/pages/{integration}/card/{card authorisation}\">Enter your card</a></p><p>This is a message of a test system. No money moves.</p>\n</body>\n</html>\n","links":["{service}/pages/{integration}/card/{card authorisation}"],
        "codes":[],"bounced":false}],"entries":[13,14,15,16,17,18],"omitted":0,"gap":null}
        """

    @needs:control @choice:rate-limit=none
    Scenario: The issuer's question waits when the sandbox goes back
      Given a card authorisation that is "Challenged"
      And the sandbox is saved
      And "cancel" happens to the card authorisation
      And the sandbox goes back to what was saved
      When "pass-challenge" happens to the card authorisation
      Then the card authorisation is "Authorised"

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
