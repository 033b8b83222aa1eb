@area:payments
Feature: A payment can carry a file and notes

  @clause:payment.create.attachment
  Rule: An attachment is a file in base64 or the address of one

    Scenario Outline: attachment as "<value>" is refused
      Given a company
      And a payer
      When the partner requests a payment with attachment "<value>"
      Then the call is refused because of "attachment"

      Examples:
        | value                   |
        | not base64!             |
        | JVBERi0xLjQ!            |
        | ftp://example.com/x.pdf |
        | http://example.com:0/x  |
        | http://127.0.0.1:65536  |

    Scenario Outline: attachment as "<value>" needs no advice
      Given a company
      And a payer
      When the partner requests a payment with attachment "<value>"
      Then the call is accepted without advice

      Examples:
        | value                  |
        | a PDF                  |
        | nothing                |
        | null                   |
        | http://127.0.0.1:1/x   |
        | http://127.0.0.1:65535 |

  @clause:payment.create.attachment-pdf
  Rule: An attachment should be a PDF

    Scenario: attachment as "a text file" is accepted with an advice
      Given a company
      And a payer
      When the partner requests a payment with attachment "a text file"
      Then the call is accepted with an advice about "attachment"

    @needs:control
    Scenario: A strict integration refuses attachment as "a text file"
      Given a strict integration
      And a company
      And a payer
      When the partner requests a payment with attachment "a text file"
      Then the call is refused because of "attachment"

  @clause:payment.attachment.stored
  Rule: An attachment is kept with its payment

    Scenario: A PDF in base64
      Given a company
      And a payer
      And the partner requests a payment with attachment "a PDF"
      When the partner asks for the payment's details
      Then the answer lists 1 attachments
      And the answer's attachments[0].contentType is "application/pdf"

    Scenario: No file
      Given a company
      And a payer
      And the partner requests a payment with attachment "nothing"
      When the partner asks for the payment's details
      Then the answer lists 0 attachments

    @needs:control
    Scenario: A file behind an address
      Given a webhook receiver
      And a company
      And a payer
      And the partner requests a payment with attachment "the receiver's file"
      And the service has fetched the receiver's file
      When the partner asks for the payment's details
      Then the answer's attachments[0].contentType is "application/pdf"
      And the answer's attachments[0].name is "agreement.pdf"

    @needs:control
    Scenario: A file behind an address that redirects three times
      Given a webhook receiver
      And a company
      And a payer
      And the partner requests a payment with attachment "the receiver's file behind 3 redirects"
      And the service has fetched the receiver's file
      When the partner asks for the payment's details
      Then the answer's attachments[0].contentType is "application/pdf"

    @needs:control
    Scenario: Nobody is followed for ever
      Given a webhook receiver
      And a company
      And a payer
      And the partner requests a payment with attachment "the receiver's file behind 4 redirects"
      And the service has given up the receiver's file
      When the partner asks for the payment's details
      Then the answer's attachments[0].contentType is ""

    @needs:control
    Scenario: The company's back office tells that a file could not be fetched
      Given a webhook receiver for "COMPANY_VERIFICATION_STATUS_CHANGED"
      And a payment that is "Paid" with:
        | attachment | the receiver's file behind 4 redirects |
      And the service has given up the receiver's file
      And the company looks at the payment in its back office
      When the company follows "attachment"
      Then the page answers with the status 404
      And the page's status is "Missing"
      And the page says "The file could not be fetched from the partner: "

    @needs:control
    Scenario Outline: The company's back office tells where a file led: <file>
      Given a webhook receiver for "COMPANY_VERIFICATION_STATUS_CHANGED"
      And a payment that is "Paid" with:
        | attachment | <file> |
      And the service has given up the receiver's file
      And the company looks at the payment in its back office
      When the company follows "attachment"
      Then the page's status is "Missing"
      And the page says "The file could not be fetched from the partner: <why>"

      Examples:
        | file                                    | why                                              |
        | the receiver's file that is nowhere     | redirect to an address that cannot be understood |
        | the receiver's file that is no web page | the address is neither http nor https            |
        | the receiver's missing file             | the server answered 404                          |

    @needs:control
    Scenario Outline: The company's back office tells why there is no file: <file>
      Given a webhook receiver for "COMPANY_VERIFICATION_STATUS_CHANGED"
      And a payment that is "Paid" with:
        | attachment | <file> |
      And the service has given up the receiver's file
      And the company looks at the payment in its back office
      When the company follows "attachment"
      Then the page answers with the status 404
      And the page's status is "Missing"

      Examples:
        | file                                |
        | the receiver's missing file         |
        | the receiver's file that is too long |
        | http://127.0.0.1:1/agreement.pdf     |

    @needs:control
    Scenario: A file of no bytes is none
      Given a webhook receiver for "COMPANY_VERIFICATION_STATUS_CHANGED"
      And a payment that is "Paid" with:
        | attachment | the receiver's empty file |
      And the service has fetched the receiver's file
      And the company looks at the payment in its back office
      When the company follows "attachment"
      Then the page answers with the status 404
      And the page says "the file is empty"

  @clause:payment.create.metadata
  Rule: Metadata is any object

    Scenario Outline: metadata as "<value>" needs no advice
      Given a company
      And a payer
      When the partner requests a payment with metadata "<value>"
      Then the call is accepted without advice

      Examples:
        | value              |
        | an object of notes |
        | nothing            |
        | null               |

    Scenario: A payment with it is there
      Given a company
      And a payer
      And the partner requests a payment with metadata "an object of notes"
      When the partner asks for the payment's status
      Then the answer's amount.value is "5000"

    @choice:null-or-absent=null
    Scenario: Without notes
      Given a company
      And a payer
      And the partner requests a payment with metadata "nothing"
      When the partner asks for the payment's details
      Then the answer's metadata is null

  @clause:payment.create.link
  Rule: The payer's link to a payment is good for as long as the service says

    @needs:control
    Scenario: After forty days
      Given a company
      And a payer
      When the partner requests a payment
      And 40 days pass
      Then the payer's link to the payment is open

    @needs:control @choice:account-mask=asterisk
    Scenario: The page shows what is to be paid
      Given a company
      And a registered payer
      And the partner requests a payment with dueDate "2030-02-03"
      When the payer opens the payment page
      Then the page's amount is "$50.00"
      And the page's company is "Hillside Fitness"
      And the page's description is "Membership, October"
      And the page is, with all that it can send:
        """
        Pay Hillside Fitness $50.00 To Hillside Fitness For Membership, October Due February 3, 2030 Reference invoice-1001 [form
        action=/pages/{opaque}/pay/{opaque}] [input type=hidden name=csrf value={opaque}] How do you pay? [input type=radio
        name=bank value=linked aria-describedby=bank-linked-hint checked] Bank account *1111 Collected from the account that you
        have linked. [input type=radio name=bank value=card aria-describedby=bank-card-hint] Card Type a test card on the next
        page. [button name=answer value=approve] Pay $50.00 [button name=answer value=deny] Deny
        """

    @needs:control @choice:account-mask=asterisk
    Scenario: The page names the request and the linked account
      Given a company
      And a registered payer
      And the partner requests a payment with amount "123456789"
      When the payer opens the payment page
      Then the page's reference is "invoice-1001"
      And the page says "Bank account *1111"
      And the page's amount is "$1,234,567.89"
      And the page is, with all that it can send:
        """
        Pay Hillside Fitness $1,234,567.89 To Hillside Fitness For Membership, October Reference invoice-1001 [form
        action=/pages/{opaque}/pay/{opaque}] [input type=hidden name=csrf value={opaque}] How do you pay? [input type=radio
        name=bank value=linked aria-describedby=bank-linked-hint checked] Bank account *1111 Collected from the account that you
        have linked. [input type=radio name=bank value=card aria-describedby=bank-card-hint] Card Type a test card on the next
        page. [button name=answer value=approve] Pay $1,234,567.89 [button name=answer value=deny] Deny
        """

    @needs:control @choice:return-url=encrypted
    Scenario: The payer approves on the page
      Given a company
      And a registered payer
      And the partner requests a payment
      And the payer opens the payment page
      When the payer answers the page with:
        | answer | approve |
        | bank   | linked  |
      Then the payer has left for "https://partner.example.com/paid"
      And the payment is "Processing"

    @needs:control @choice:return-url=encrypted
    Scenario: The payer answers when it is too late
      Given a company
      And a registered payer
      And the partner requests a payment
      And the payer opens the payment page
      And "cancel" happens to the payment
      When the payer answers the page with:
        | answer | approve |
        | bank   | linked  |
      Then the page answers with the status 409
      And the payment is "Canceled"

    @needs:control @choice:account-mask=asterisk
    Scenario: The payer denies on the page
      Given a company
      And a registered payer
      And the partner requests a payment with returnUrl "nothing"
      And the payer opens the payment page
      When the payer answers the page with:
        | answer | deny |
      Then the payment is "Denied"
      And the page's status is "Denied"
      And the page is, with all that it can send:
        """
        Payment denied Denied This request was denied. Nothing was charged. Company Hillside Fitness Amount $50.00 For Membership, October
        Bank account *1111
        """

    @needs:control @choice:account-mask=asterisk
    Scenario: Who has no account links one on the page
      Given a company
      And a payer
      And the partner requests a payment with returnUrl "nothing"
      And the payer opens the payment page
      When the payer answers the page with:
        | answer | approve |
        | bank   | slow    |
      Then the payment is "Queued"
      And the payer is "Registered"
      And the page is, with all that it can send:
        """
        Payment queued Queued Your bank takes a little longer. Nothing more to do. It waits for the payer's bank. The sandbox's clock is
        at March 2, 2026, 17:00 UTC; whoever runs the sandbox can move it. Company Hillside Fitness Amount $50.00 For Membership, October
        Bank account *3333 [a href=/pages/{opaque}/pay/{opaque}] Look again [refresh 3; url=/pages/{opaque}/pay/{opaque}?looks=1]
        """

    @needs:control
    Scenario Outline: An answer that is none: <what>
      Given a company
      And a registered payer
      And the partner requests a payment with feePayer "ask"
      And the payer opens the payment page
      When the payer answers the page with:
        | answer | <answer> |
        | bank   | <bank>   |
        | fee    | <fee>    |
      Then the page answers with the status 400
      And the page says "<told>"
      And the payment is "Pending"

      Examples:
        | what       | answer  | bank   | fee    | told                         |
        | nothing    |         | linked | client | Approve or deny the payment. |
        | no account | approve | good   | client | Choose how to pay.           |
        | no fee     | approve | linked |        | Choose who pays the fee.     |

    @needs:control @choice:account-mask=asterisk
    Scenario: What was answered stands on the page that asks again
      Given a company
      And a registered payer
      And the partner requests a payment with:
        | feePayer        | ask  |
        | enableDebitAuth | yes  |
        | debitAuthLimit  | 7500 |
      And the payer opens the payment page
      When the payer answers the page with:
        | answer | approve |
        | bank   | linked  |
        | debit  | yes     |
      Then the page is, with all that it can send:
        """
        Pay Hillside Fitness Please check your answer [a href=#fee] Choose who pays the fee. $50.00 To Hillside Fitness For
        Membership, October Reference invoice-1001 [form action=/pages/{opaque}/pay/{opaque}] [input type=hidden name=csrf
        value={opaque}] How do you pay? [input type=radio name=bank value=linked aria-describedby=bank-linked-hint checked] Bank
        account *1111 Collected from the account that you have linked. [input type=radio name=bank value=card
        aria-describedby=bank-card-hint] Card Type a test card on the next page. Who pays the fee? Error: Choose who pays the fee.
        [input type=radio name=fee value=client aria-describedby=fee-client-hint] I pay the fee The fee payer of the request
        becomes client. [input type=radio name=fee value=partner aria-describedby=fee-partner-hint] Hillside Fitness pays the fee
        The fee payer of the request becomes partner. [input type=checkbox name=debit value=yes aria-describedby=debit-hint
        checked] Let Hillside Fitness debit my account from now on Up to $75.00 each time, without asking me again. I can do
        without it. [button name=answer value=approve] Pay $50.00 [button name=answer value=deny] Deny
        """

    @needs:control
    Scenario Outline: What is no form of the page: <what>
      Given a company
      And a registered payer
      And the partner requests a payment
      And the payer opens the payment page
      When a browser sends the page "<form>" as "<type>"
      Then the page answers with the status <status>
      And the page is, with all that it can send:
        """
        <told> Nothing was changed. <more> [a href=/pages/{opaque}/pay/{opaque}] Open the page again
        """
      And the payment is "Pending"

      Examples:
        | what               | form                   | type                              | status | told                                                                                           | more                                      |
        | nobody's           | answer=approve         | application/x-www-form-urlencoded | 403    | This form is not ours The form did not come from this page, or its page is out of date.        | Open the page again and repeat your answer. |
        | another media type | answer=approve         | text/plain                        | 415    | This form could not be read Forms are sent as application/x-www-form-urlencoded.               |                                           |
        | badly coded        | answer=%zz             | application/x-www-form-urlencoded | 400    | This form could not be read It is incomplete or not coded as it should be.                     |                                           |

    @needs:control
    Scenario: A form that is too large
      Given a company
      And a registered payer
      And the partner requests a payment
      And the payer opens the payment page
      When a browser sends the page 65537 bytes as "application/x-www-form-urlencoded"
      Then the page answers with the status 413
      And the page is, with all that it can send:
        """
        This form is too large A form may have 64 KiB at most. Nothing was changed. [a href=/pages/{opaque}/pay/{opaque}] Open the page again
        """
      And the payment is "Pending"

    @needs:control
    Scenario: A form of the largest size is read
      Given a company
      And a registered payer
      And the partner requests a payment
      And the payer opens the payment page
      When a browser sends the page 65536 bytes as "application/x-www-form-urlencoded"
      Then the page answers with the status 403

    @needs:control
    Scenario: A page that waits looks again, ever more rarely, and then stays
      Given a payment that is "Processing"
      When the payer opens the payment page
      Then the page looks again by itself after seconds "3, 6, 12, 24, 48, 96, 192, 384" and then stays
      And the page's status is "Processing"

    @needs:control
    Scenario: The payer pays by card instead
      Given a company
      And a registered payer
      And the partner requests a payment
      And the payer opens the payment page
      When the payer answers the page with:
        | answer | approve |
        | bank   | card    |
      Then the page says "Pay Hillside Fitness by card"
      And the page's amount is "$50.00"

    @needs:control
    Scenario Outline: The page of a payment that is <status>
      Given a payment that is "<status>"
      When the payer opens the payment page
      Then the page's status is "<status>"
      And the page's amount is "$50.00"

      Examples:
        | status     |
        | Scheduled  |
        | Processing |
        | Paid       |
        | Failed     |
        | Denied     |
        | Canceled   |

    @needs:control @choice:return-url=encrypted
    Scenario: A card that is typed there pays the request
      Given a company
      And a registered payer
      And the partner requests a payment
      And the payer opens the payment page
      And the payer answers the page with:
        | answer | approve |
        | bank   | card    |
      When the payer answers the page with:
        | number | 4242424242424242 |
        | expiry | 12/30            |
        | code   | 123              |
      Then the payment is "Processing"
      And the payer has left for "https://partner.example.com/paid"

    @needs:control
    Scenario: A card that is declined leaves the request open
      Given a company
      And a registered payer
      And the partner requests a payment
      And the payer opens the payment page
      And the payer answers the page with:
        | answer | approve |
        | bank   | card    |
      When the payer answers the page with:
        | number | 4000000000000002 |
        | expiry | 12/30            |
        | code   | 123              |
      Then the payment is "Pending"
      And the page is, with all that it can send:
        """
        Card declined Declined The issuer declined the card and gave no reason. Your card was not accepted. Nothing was charged. You can
        choose another way to pay. Company Hillside Fitness Amount $50.00 Card visa 0002 [a href=/pages/{opaque}/pay/{opaque}] Choose
        another way to pay
        """

    @needs:control
    Scenario Outline: The payer may let the company debit from now on: <debit>
      Given a company
      And a registered payer
      And the partner requests a payment with:
        | enableDebitAuth | yes  |
        | debitAuthLimit  | 7500 |
      And the payer opens the payment page
      And the page's limit is "$75.00"
      When the payer answers the page with:
        | answer | approve |
        | bank   | linked  |
        | debit  | <debit> |
      Then the payment is "Processing"
      And the debit authorisation is "<status>"

      Examples:
        | debit | status   |
        | yes   | Accepted |
        | no    | Pending  |

    @needs:control
    Scenario Outline: The payer chooses who pays the fee of a payment by card: <fee>
      Given a company
      And a registered payer
      And the partner requests a payment with feePayer "ask"
      And the payer opens the payment page
      And the payer answers the page with:
        | answer | approve |
        | bank   | card    |
        | fee    | <fee>   |
      And the payer answers the page with:
        | number | 4242424242424242 |
        | expiry | 12/30            |
        | code   | 123              |
      When the company looks at the payment in its back office
      Then the page's fee-payer is "<fee>"

      Examples:
        | fee     |
        | client  |
        | partner |

    @needs:control
    Scenario Outline: The payer chooses who pays the fee: <fee>
      Given a company
      And a registered payer
      And the partner requests a payment with feePayer "ask"
      And the payer opens the payment page
      And the payer answers the page with:
        | answer | approve |
        | bank   | linked  |
        | fee    | <fee>   |
      When the company looks at the payment in its back office
      Then the page's fee-payer is "<fee>"

      Examples:
        | fee     |
        | client  |
        | partner |

    @needs:control
    Scenario Outline: A browser is told how to treat the page: <header>
      Given a company
      And a registered payer
      And the partner requests a payment
      When the payer opens the payment page
      Then the page's header "<header>" is "<value>"

      Examples:
        | header                 | value       |
        | X-Content-Type-Options | nosniff     |
        | Referrer-Policy        | same-origin |
        | Cache-Control          | no-store    |

    @needs:control @choice:account-mask=asterisk
    Scenario: A form that comes too late changes nothing
      Given a company
      And a registered payer
      And the partner requests a payment
      And the payer opens the payment page
      And "deny" happens to the payment
      When the payer answers the page with:
        | answer | approve |
        | bank   | linked  |
      Then the page answers with the status 409
      And the page is, with all that it can send:
        """
        Payment denied Denied This request was denied. Nothing was charged. Company Hillside Fitness Amount $50.00 For Membership, October
        Bank account *1111 [a href=https://partner.example.com/paid] Go back to where you came from
        """

    @needs:control
    Scenario: A payment that was denied stays denied when a form comes too late
      Given a company
      And a registered payer
      And the partner requests a payment
      And the payer opens the payment page
      And "deny" happens to the payment
      When the payer answers the page with:
        | answer | approve |
        | bank   | linked  |
      Then the payment is "Denied"

  @clause:payment.create.metadata-shown
  Rule: Metadata is shown in a payment's details as it was sent

    Scenario: Read back
      Given a company
      And a payer
      And the partner requests a payment with metadata "an object of notes"
      When the partner asks for the payment's details
      Then the answer's metadata.order is "42"

  @clause:payment.create.free-members
  Rule: Reference, description and the one-time mark may be left out

    Scenario Outline: Without <member>
      Given a company
      And a payer
      When the partner requests a payment with <member> "nothing"
      Then the call is accepted without advice

      Examples:
        | member           |
        | reference        |
        | shortDescription |
        | oneTimePayment   |
        | contactNumber    |
        | emailAddress     |

    Scenario Outline: A payment without <member> is there
      Given a company
      And a payer
      And the partner requests a payment with <member> "nothing"
      When the partner asks for the payment's status
      Then the answer's amount.value is "5000"

      Examples:
        | member           |
        | reference        |
        | shortDescription |
        | oneTimePayment   |
