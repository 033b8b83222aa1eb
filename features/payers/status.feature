@area:payers
Feature: A partner follows payers

  @clause:user.register.pending
  Rule: A new payer is Pending

    Scenario: Before the page was opened
      Given a payer
      And the payer is "Pending"
      When the partner asks for the status of an unknown payer
      Then the service refuses it as unknown
      And the payer is "Pending"

  @clause:user.register.message
  Rule: A payer whose contact is known gets the registration link

    @needs:control
    Scenario: By text message
      When the partner registers a payer
      Then the message "registration" goes out by sms to "+12025550123"
      And the message "registration" holds "link"

    @needs:control
    Scenario: The message as it is kept
      When the partner registers a payer
      Then the sandbox shows "the messages" as:
        """
        {"messages":[{"seq":4,"at":"2026-03-02T17:00:00Z","channel":"sms","to":"+12025550123","template":"registration","entity":"{payer}","subject":"","text":"You are invited to link your bank account for: Monthly membership.\n\nLink your bank account:\n{service}/pages/{integration}/register/{payer}\n","html":"","links":["{service}/pages/{integration}/register/{payer}"],
        "codes":[],"bounced":false},
        {"seq":5,"at":"2026-03-02T17:00:00Z","channel":"email","to":"pat.lindgren@example.com","template":"registration","entity":"{payer}","subject":"Link your bank account","text":"You are invited to link your bank account for: Monthly membership.\n\nLink your bank account:\n{service}/pages/{integration}/register/{payer}\n","html":"<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>Link your bank account</title></head>\n<body>\n<p>You are invited to link your bank account for: Monthly membership.</p>\n<p><a href=\"{service}/pages/{integration}/register/{payer}\">Link your bank account</a></p><p>This is a message of a test system. No money moves.</p>\n</body>\n</html>\n","links":["{service}/pages/{integration}/register/{payer}"],
        "codes":[],"bounced":false}],"gap":null}
        """

    @needs:control
    Scenario: The messages to somebody else
      When the partner registers a payer
      Then the sandbox shows "the messages to the payer" as:
        """
        {"messages":[],"gap":null}
        """

  @clause:user.status
  Rule: A payer's status is answered with the account's mask

    Scenario: Pending without an account
      Given a payer
      When the partner asks for the payer's status
      Then the answer's status is "Pending"
      And the answer's accountMask is null

  @clause:user.status.unknown
  Rule: A payer that the integration does not have is unknown

    Scenario: No such payer
      Given a payer
      And the partner asks for the payer's status
      When the partner asks for the status of an unknown payer
      Then the service refuses it as unknown

    @needs:control
    Scenario: Another partner's payer
      Given a payer
      And another partner
      When the other partner asks for the payer's status
      Then the service refuses it as unknown

  @clause:user.status.registered
  Rule: A payer who has linked a bank and passed the identity check is Registered

    @needs:control
    Scenario: The registration is completed
      Given a payer
      When the payer completes the registration
      Then the payer is "Registered"

    @needs:control
    Scenario: At a slow bank
      Given a payer
      When the payer completes the registration at the bank "slow"
      Then the payer is "Registered"

    @needs:control
    Scenario: A failed identity check leaves the payer Pending
      Given a payer
      When the payer fails the identity check
      Then the payer is "Pending"

    @needs:control
    Scenario: The payer may try again
      Given a payer
      And the payer fails the identity check
      When the payer completes the registration
      Then the payer is "Registered"

    @needs:control @choice:registration-redirect=none
    Scenario: On the pages, as a person does it
      Given a payer
      And the payer opens the registration page
      And he answers the page with:
        | step | bank |
        | bank | slow |
      When he answers the page with:
        | step    | identity   |
        | name    | Pat L      |
        | born    | 1990-02-03 |
        | ssn     | 1234       |
        | outcome | registered |
      Then the payer has left for "https://partner.example.com/registered"
      And the payer is "Registered"

    @needs:control
    Scenario Outline: What is wrong on the page is told beside it: <part>
      Given a payer
      And the payer opens the registration page
      And he answers the page with:
        | step | bank |
        | bank | good |
      When he answers the page with:
        | step    | identity |
        | name    | <name>   |
        | born    | <born>   |
        | ssn     | <ssn>    |
        | outcome | <ends>   |
      Then the page answers with the status 400
      And the page says "<told>"
      And the payer is "Pending"

      Examples:
        | part            | name  | born       | ssn  | ends       | told                               |
        | no name         |       | 1990-02-03 | 1234 | registered | Type your full name.               |
        | no date         | Pat L | soon       | 1234 | registered | Type your date of birth.           |
        | under age       | Pat L | 2020-01-01 | 1234 | registered | You have to be 18 years old.       |
        | long ago        | Pat L | 1850-01-01 | 1234 | registered | This date is too long ago.         |
        | an empty date   | Pat L |            | 1234 | registered | Type your date of birth.           |
        | another form    | Pat L | 02/03/1990 | 1234 | registered | Type your date of birth.           |
        | no such day     | Pat L | 1990-02-30 | 1234 | registered | Type your date of birth.           |
        | three digits    | Pat L | 1990-02-03 | 123  | registered | Type the last four digits          |
        | five digits     | Pat L | 1990-02-03 | 12345 | registered | Type the last four digits         |
        | letters         | Pat L | 1990-02-03 | 12a4 | registered | Type the last four digits          |
        | no number       | Pat L | 1990-02-03 |      | registered | Type the last four digits          |
        | no such outcome | Pat L | 1990-02-03 | 1234 | maybe      | Choose how the check ends.         |
        | no outcome      | Pat L | 1990-02-03 | 1234 |            | Choose how the check ends.         |

    @needs:control
    Scenario: A day before the eighteenth birthday is under age
      Given the clock starts at "2026-05-06T12:00:00Z"
      And a payer
      And the payer opens the registration page
      And he answers the page with:
        | step | bank |
        | bank | good |
      When he answers the page with:
        | step    | identity   |
        | name    | Pat L      |
        | born    | 2008-05-07 |
        | ssn     | 1234       |
        | outcome | registered |
      Then the page says "You have to be 18 years old."
      And the page is, with all that it can send:
        """
        Confirm who you are Please check your answer [a href=#born] You have to be 18 years old. Step 2 of 2: your identity For
        Monthly membership Bank account Good account *1111 [form action=/pages/{opaque}/register/{opaque}] [input type=hidden
        name=csrf value={opaque}] [input type=hidden name=bank value=good] [input type=hidden name=routing value] [input
        type=hidden name=account value] Full name Any made-up name. [input name=name type=text value=Pat L autocomplete=off
        maxlength=100 aria-describedby=name-hint] Date of birth You have to be 18 years old. Error: You have to be 18 years old.
        [input name=born type=date value=2008-05-07 autocomplete=off aria-describedby=born-hint born-error aria-invalid=true] Last
        four digits of your social security number Made up, never real ones. [input name=ssn type=text value inputmode=numeric
        autocomplete=off maxlength=4 aria-describedby=ssn-hint] In the sandbox you choose how the check ends [input type=radio
        name=outcome value=registered aria-describedby=outcome-registered-hint checked] Pass The identity check succeeds. [input
        type=radio name=outcome value=kyc-failed aria-describedby=outcome-kyc-failed-hint] Fail The identity check fails; the
        payer may try again. [button name=step value=identity] Finish registration [button name=step value=back] Change bank
        """

    @needs:control
    Scenario: All that is wrong on the page is told at once
      Given a payer
      And the payer opens the registration page
      And he answers the page with:
        | step | bank |
        | bank | good |
      When he answers the page with:
        | step    | identity |
        | name    |          |
        | born    | soon     |
        | ssn     | 12       |
        | outcome | maybe    |
      Then the page says "Type your full name."
      And the page says "Type your date of birth."
      And the page says "Type the last four digits"
      And the page says "Choose how the check ends."

    @needs:control
    Scenario Outline: Nobody was born more than 130 years ago: <born>
      Given the clock starts at "2026-05-06T12:00:00Z"
      And a payer
      And the payer opens the registration page
      And he answers the page with:
        | step | bank |
        | bank | good |
      When he answers the page with:
        | step    | identity   |
        | name    | Pat L      |
        | born    | <born>     |
        | ssn     | 1234       |
        | outcome | registered |
      Then the payer is "<status>"

      Examples:
        | born       | status     |
        | 1895-12-31 | Pending    |
        | 1896-01-01 | Registered |

    @needs:control
    Scenario: Who has failed the identity check can try again on the page
      Given a payer
      And the payer fails the identity check
      And the payer opens the registration page
      And he answers the page with:
        | step | bank |
        | bank | good |
      When he answers the page with:
        | step    | identity   |
        | name    | Pat L      |
        | born    | 1990-02-03 |
        | ssn     | 1234       |
        | outcome | registered |
      Then the payer is "Registered"

    @needs:control
    Scenario: The eighteenth birthday is enough
      Given the clock starts at "2026-05-06T12:00:00Z"
      And a payer
      And the payer opens the registration page
      And he answers the page with:
        | step | bank |
        | bank | good |
      When he answers the page with:
        | step    | identity   |
        | name    | Pat L      |
        | born    | 2008-05-06 |
        | ssn     | 1234       |
        | outcome | registered |
      Then the payer is "Registered"

    @needs:control @choice:account-mask=asterisk
    Scenario: A typed account shows its last digits
      Given a payer
      And the payer opens the registration page
      When he answers the page with:
        | step    | bank      |
        | bank    | own       |
        | routing | 110000000 |
        | account | 998877    |
      Then the page's chosen-bank is "Another account *8877"
      And the page is, with all that it can send:
        """
        Confirm who you are Step 2 of 2: your identity For Monthly membership Bank account Another account *8877 [form
        action=/pages/{opaque}/register/{opaque}] [input type=hidden name=csrf value={opaque}] [input type=hidden name=bank
        value=own] [input type=hidden name=routing value=110000000] [input type=hidden name=account value=xx8877] Full name Any
        made-up name. [input name=name type=text value autocomplete=off maxlength=100 aria-describedby=name-hint] Date of birth
        You have to be 18 years old. [input name=born type=date value autocomplete=off aria-describedby=born-hint] Last four
        digits of your social security number Made up, never real ones. [input name=ssn type=text value inputmode=numeric
        autocomplete=off maxlength=4 aria-describedby=ssn-hint] In the sandbox you choose how the check ends [input type=radio
        name=outcome value=registered aria-describedby=outcome-registered-hint checked] Pass The identity check succeeds. [input
        type=radio name=outcome value=kyc-failed aria-describedby=outcome-kyc-failed-hint] Fail The identity check fails; the
        payer may try again. [button name=step value=identity] Finish registration [button name=step value=back] Change bank
        """

    @needs:control
    Scenario Outline: An account that cannot be: <what>
      Given a payer
      And the payer opens the registration page
      When he answers the page with:
        | step    | bank      |
        | bank    | <bank>    |
        | routing | <routing> |
        | account | <account> |
      Then the page answers with the status 400
      And the page says "<told>"

      Examples:
        | what             | bank   | routing   | account | told                                  |
        | none is chosen   |        |           |         | Choose a bank account.                |
        | an unknown one   | nobody |           |         | Unknown                               |
        | no routing       | own    |           | 998877  | Type the routing number, for example  |
        | a wrong routing  | own    | 110000001 | 998877  | A routing number has nine digits      |
        | no account       | own    | 110000000 |         | Type the account number, for example  |
        | a short account  | own    | 110000000 | 123     | Expected                              |

    @needs:control
    Scenario: What is wrong with an account stands beside its field
      Given a payer
      And the payer opens the registration page
      When he answers the page with:
        | step    | bank      |
        | bank    | own       |
        | routing | 110000000 |
        | account | 123       |
      Then the page is, with all that it can send:
        """
        Link your bank account Please check your answer [a href=#account] Unknown account number. Expected 4 to 17 digits.
        Nearest: 000000001111 (good). Step 1 of 2: your bank Link the bank account that you want to pay from. It is for Monthly
        membership . [form action=/pages/{opaque}/register/{opaque}] [input type=hidden name=csrf value={opaque}] Which account do
        you link? [input type=radio name=bank value=good aria-describedby=bank-good-hint] Good account Every payment is collected
        and stays Paid. [input type=radio name=bank value=insufficient-funds aria-describedby=bank-insufficient-funds-hint]
        Insufficient funds The bank refuses every payment with R01; it becomes Failed. [input type=radio name=bank
        value=closed-account aria-describedby=bank-closed-account-hint] Closed account The bank refuses every payment with R02; it
        becomes Failed. [input type=radio name=bank value=unauthorised-late-return
        aria-describedby=bank-unauthorised-late-return-hint] Unauthorised, returned late Every payment becomes Paid, then the bank
        returns it with R10 and it becomes Failed. [input type=radio name=bank value=under-review
        aria-describedby=bank-under-review-hint] Under review Every payment is InReview first and is collected after that. [input
        type=radio name=bank value=slow aria-describedby=bank-slow-hint] Slow bank Every payment is Queued first and takes two
        banking days to be collected. [input type=radio name=bank value=own aria-describedby=bank-own-hint checked] Another
        account Type a routing and an account number of the test data. Routing number Nine digits, for example 110000000. [input
        name=routing type=text value=110000000 inputmode=numeric autocomplete=off maxlength=20 aria-describedby=routing-hint]
        Account number Any 4 to 17 digits are a good account. The ending 010001 is refused with R01, 210010 is returned late with
        R10. Error: Unknown account number. Expected 4 to 17 digits. Nearest: 000000001111 (good). [input name=account type=text
        value=123 inputmode=numeric autocomplete=off maxlength=40 aria-describedby=account-hint account-error aria-invalid=true]
        [button name=step value=bank] Continue
        """

    @needs:control
    Scenario: A failed check is told, and may be tried again
      Given a payer
      And the payer opens the registration page
      And he answers the page with:
        | step | bank |
        | bank | good |
      When he answers the page with:
        | step    | identity   |
        | name    | Pat L      |
        | born    | 1990-02-03 |
        | ssn     | 1234       |
        | outcome | kyc-failed |
      Then the page says "The identity check did not pass"
      And the page says "Try again"
      And the payer is "Pending"
      And the page is, with all that it can send:
        """
        The identity check did not pass Pending We could not confirm who you are. Nothing was linked and nothing was charged. [a
        href=/pages/{opaque}/register/{opaque}] Try again
        """

    @needs:control
    Scenario: Going back keeps what was chosen
      Given a payer
      And the payer opens the registration page
      And he answers the page with:
        | step | bank |
        | bank | slow |
      When he answers the page with:
        | step | back |
      Then the page says "Step 1 of 2: your bank"
      And the page is, with all that it can send:
        """
        Link your bank account Step 1 of 2: your bank Link the bank account that you want to pay from. It is for Monthly
        membership . [form action=/pages/{opaque}/register/{opaque}] [input type=hidden name=csrf value={opaque}] Which account do
        you link? [input type=radio name=bank value=good aria-describedby=bank-good-hint] Good account Every payment is collected
        and stays Paid. [input type=radio name=bank value=insufficient-funds aria-describedby=bank-insufficient-funds-hint]
        Insufficient funds The bank refuses every payment with R01; it becomes Failed. [input type=radio name=bank
        value=closed-account aria-describedby=bank-closed-account-hint] Closed account The bank refuses every payment with R02; it
        becomes Failed. [input type=radio name=bank value=unauthorised-late-return
        aria-describedby=bank-unauthorised-late-return-hint] Unauthorised, returned late Every payment becomes Paid, then the bank
        returns it with R10 and it becomes Failed. [input type=radio name=bank value=under-review
        aria-describedby=bank-under-review-hint] Under review Every payment is InReview first and is collected after that. [input
        type=radio name=bank value=slow aria-describedby=bank-slow-hint checked] Slow bank Every payment is Queued first and takes
        two banking days to be collected. [input type=radio name=bank value=own aria-describedby=bank-own-hint] Another account
        Type a routing and an account number of the test data. Routing number Nine digits, for example 110000000. [input
        name=routing type=text value inputmode=numeric autocomplete=off maxlength=20 aria-describedby=routing-hint] Account number
        Any 4 to 17 digits are a good account. The ending 010001 is refused with R01, 210010 is returned late with R10. [input
        name=account type=text value inputmode=numeric autocomplete=off maxlength=40 aria-describedby=account-hint] [button
        name=step value=bank] Continue
        """

    @needs:control @choice:account-mask=asterisk @choice:registration-redirect=none
    Scenario: Who is registered has nothing more to do
      Given a registered payer
      When the payer opens the registration page
      Then the page says "You are already registered. There is nothing more to do here."
      And the page's account-mask is "*1111"
      And the page says "Go back to where you came from"
      And the page is, with all that it can send:
        """
        Registration complete Registered You are already registered. There is nothing more to do here. Bank account *1111 [a
        href=/pages/{opaque}/register/{opaque}?step=relink] Link another account [a href=https://partner.example.com/registered] Go back to
        where you came from
        """

    @needs:control @choice:account-mask=asterisk
    Scenario: What the sandbox shows of a payer
      Given a payer
      When the payer completes the registration
      Then the sandbox shows "the payer" as:
        """
        {"kind":"registration","id":"{payer}","machine":"registration","status":"Registered","summary":"pat.lindgren@example.com","amount":null,"created":"2026-03-02T17:00:00Z","changed":"2026-03-02T17:00:00Z","relations":[],
        "console":"/console/{integration}/entities/{payer}","facts":[{"name":"emailAddress","value":"pat.lindgren@example.com"},
        {"name":"contactNumber","value":"+12025550123"},{"name":"purpose","value":"Monthly membership"},{"name":"accountMask","value":"*1111"}],
        "page":"{service}/pages/{integration}/register/{payer}","visited":[{"seq":3,"cause":2,"at":"2026-03-02T17:00:00Z","event":"create","from":"","to":"Pending","reason":""},
        {"seq":7,"cause":6,"at":"2026-03-02T17:00:00Z","event":"complete","from":"Pending","to":"Registered","reason":"the payer linked a bank and passed the identity check"}],
        "moves":[{"event":"relink","to":"Registered","method":"POST","path":"/_sandbox/integrations/{integration}/registrations/{payer}/relink","body":"{\"persona\":\"good\"}"}],
        "related":[],"deliveries":[],
        "messages":[{"seq":4,"at":"2026-03-02T17:00:00Z","channel":"sms","to":"+12025550123","template":"registration","entity":"{payer}","subject":"","text":"You are invited to link your bank account for: Monthly membership.\n\nLink your bank account:\n{service}/pages/{integration}/register/{payer}\n","html":"","links":["{service}/pages/{integration}/register/{payer}"],
        "codes":[],"bounced":false},
        {"seq":5,"at":"2026-03-02T17:00:00Z","channel":"email","to":"pat.lindgren@example.com","template":"registration","entity":"{payer}","subject":"Link your bank account","text":"You are invited to link your bank account for: Monthly membership.\n\nLink your bank account:\n{service}/pages/{integration}/register/{payer}\n","html":"<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>Link your bank account</title></head>\n<body>\n<p>You are invited to link your bank account for: Monthly membership.</p>\n<p><a href=\"{service}/pages/{integration}/register/{payer}\">Link your bank account</a></p><p>This is a message of a test system. No money moves.</p>\n</body>\n</html>\n","links":["{service}/pages/{integration}/register/{payer}"],
        "codes":[],"bounced":false}],"entries":[2,3,4,5,6,7],"omitted":0,"gap":null}
        """

    @needs:control @choice:account-mask=asterisk
    Scenario: Who is registered can link another account on the page
      Given a company
      And a registered payer
      And the payer opens the registration page
      And the payer follows "link-relink"
      When the payer answers the page with:
        | bank | slow   |
        | step | relink |
      Then the page's account-mask is "*3333"

    @needs:control
    Scenario: Another account has to be one
      Given a company
      And a registered payer
      And the payer opens the registration page
      And the payer follows "link-relink"
      When the payer answers the page with:
        | bank | moon   |
        | step | relink |
      Then the page answers with the status 400

    @needs:control
    Scenario: A secret in the address that the payer goes back to is on no tape
      Given the partner registers a payer with redirectUrl "https://partner.example.com/back?access_token=sJ8dK2mQ9xV4tR7w"
      And the payer opens the registration page
      And he answers the page with:
        | step | bank |
        | bank | slow |
      When he answers the page with:
        | step    | identity   |
        | name    | Pat L      |
        | born    | 1990-02-03 |
        | ssn     | 1234       |
        | outcome | registered |
      Then the payer is "Registered"
      And the tape never shows "sJ8dK2mQ9xV4tR7w"

    @needs:control
    Scenario: A secret in a link of a page is on no tape
      Given the partner registers a payer with redirectUrl "https://partner.example.com/back?access_token=sJ8dK2mQ9xV4tR7w"
      And the payer opens the registration page
      And the payer completes the registration
      When he answers the page with:
        | step | bank |
        | bank | slow |
      Then the page says "Go back to where you came from"
      And the tape never shows "sJ8dK2mQ9xV4tR7w"

  @clause:user.status.account-mask
  Rule: A Registered payer's account is shown by an asterisk and its last four digits

    @needs:control @choice:account-mask=asterisk
    Scenario Outline: The account of the bank "<bank>"
      Given a registered payer at the bank "<bank>"
      When the partner asks for the payer's status
      Then the answer's accountMask is "<mask>"

      Examples:
        | bank               | mask  |
        | good               | *1111 |
        | slow               | *3333 |
        | insufficient-funds | *0001 |

  @clause:user.register.redirect
  Rule: After the registration the payer goes to the redirect address, with nothing added

    @needs:control @choice:registration-redirect=none
    Scenario: Back to the partner
      Given a payer with redirectUrl "https://partner.example.com/welcome?order=7"
      When the payer completes the registration
      Then the payer's next page is "https://partner.example.com/welcome?order=7"

  @clause:user.register.single-payment
  Rule: A registration with an amount and the period once pays when it is completed

    @needs:control
    Scenario: The payment is made on completion
      Given a company
      And the partner registers a payer with amount "4200"
      And the payer completes the registration
      When the partner asks for the transaction report
      Then the answer lists 1 transactions
      And the answer's transactions[0].amount is "4200"

    @needs:control @choice:collect-unverified=accepted @choice:kyb-rehearsal=seeded @choice:registration-with-payment=payment-request
    Scenario: The payment is made for a company that is still Unverified
      Given an integration in environment "rehearsal"
      And a company
      And the partner registers a payer with amount "4200"
      And the payer completes the registration
      When the partner asks for the transaction report
      Then the answer lists 1 transactions

    @needs:control
    Scenario: Without an amount nothing is paid
      Given a company
      And the partner registers a payer with amount "nothing"
      And the payer completes the registration
      When the partner asks for the transaction report
      Then the answer lists 0 transactions
