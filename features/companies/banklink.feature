@area:companies
Feature: A company connects its bank

  @clause:company.link
  Rule: A link with which a company connects its bank is answered

    Scenario: By the reference
      Given a company
      When the partner asks for a bank link
      Then the answer's externalAuthLinkUrl is a web address

    @choice:company-path-ref=either
    Scenario: By the id
      Given a company
      When the partner asks for a bank link by the company's id
      Then the answer's externalAuthLinkUrl is a web address

    Scenario: Two companies have two links
      Given a company
      And another company
      And the partner asks for a bank link
      When the partner asks for the other company's bank link
      Then the answers differ in externalAuthLinkUrl

    @needs:control @choice:account-mask=asterisk
    Scenario: The company connects its account behind the link
      Given a company
      And the partner asks for a bank link
      And the company opens the bank link
      When the company answers the page with:
        | bank | good |
      Then the page says "Hillside Fitness is paid out to this account from now on."
      And the page's account-mask is "*1111"
      And the page's company is "Hillside Fitness"
      And the page is, with all that it can send:
        """
        Bank account connected Connected Hillside Fitness is paid out to this account from now on. Company Hillside Fitness Bank account
        *1111 [a href=/pages/{opaque}/portal/{opaque}] Open the back office
        """

    @needs:control @choice:account-mask=asterisk
    Scenario: A typed account
      Given a company
      And the partner asks for a bank link
      And the company opens the bank link
      When the company answers the page with:
        | bank    | own       |
        | routing | 110000000 |
        | account | 445566    |
      Then the page's account-mask is "*5566"
      And the page is, with all that it can send:
        """
        Bank account connected Connected Hillside Fitness is paid out to this account from now on. Company Hillside Fitness Bank account
        *5566 [a href=/pages/{opaque}/portal/{opaque}] Open the back office
        """

    @needs:control
    Scenario: No account is chosen
      Given a company
      And the partner asks for a bank link
      And the company opens the bank link
      When the company answers the page with:
        | bank |  |
      Then the page answers with the status 400
      And the page says "Choose a bank account."
      And the page is, with all that it can send:
        """
        Connect the bank account of Hillside Fitness Please check your answer [a href=#bank] Choose a bank account. Choose the
        account to which payments for Hillside Fitness are paid out. This link works once. [form
        action=/pages/{opaque}/bank-link/{opaque}] [input type=hidden name=csrf value={opaque}] Which account? Error: Choose a
        bank account. [input type=radio name=bank value=good aria-describedby=bank-good-hint] Good account Payments are paid out
        to this account. [input type=radio name=bank value=own aria-describedby=bank-own-hint] Another account Type a routing and
        an account number of the test data. Routing number Nine digits, for example 110000000. [input name=routing type=text value
        inputmode=numeric autocomplete=off maxlength=20 aria-describedby=routing-hint] Account number Any 4 to 17 digits are a
        good account. The ending 010001 is refused with R01, 210010 is returned late with R10. [input name=account type=text value
        inputmode=numeric autocomplete=off maxlength=40 aria-describedby=account-hint] [button] Connect account
        """

    @needs:control
    Scenario: The page offers the company's accounts
      Given a company
      And the partner asks for a bank link
      When the company opens the bank link
      Then the page says "Connect the bank account of Hillside Fitness"
      And the page says "Which account?"
      And the page says "Payments are paid out to this account."
      And the page does not say "Closed account"
      And the page is, with all that it can send:
        """
        Connect the bank account of Hillside Fitness Choose the account to which payments for Hillside Fitness are paid out. This
        link works once. [form action=/pages/{opaque}/bank-link/{opaque}] [input type=hidden name=csrf value={opaque}] Which
        account? [input type=radio name=bank value=good aria-describedby=bank-good-hint] Good account Payments are paid out to
        this account. [input type=radio name=bank value=own aria-describedby=bank-own-hint] Another account Type a routing and an
        account number of the test data. Routing number Nine digits, for example 110000000. [input name=routing type=text value
        inputmode=numeric autocomplete=off maxlength=20 aria-describedby=routing-hint] Account number Any 4 to 17 digits are a
        good account. The ending 010001 is refused with R01, 210010 is returned late with R10. [input name=account type=text value
        inputmode=numeric autocomplete=off maxlength=40 aria-describedby=account-hint] [button] Connect account
        """

    @needs:control
    Scenario: The link leads to the company's back office
      Given a payment that is "Paid"
      And the partner asks for a bank link
      And the company opens the bank link
      And the company answers the page with:
        | bank | good |
      When the company follows "link-portal"
      Then the page says "Back office"
      And the page's payment-{payment} is ""
      And the page is, with all that it can send:
        """
        Hillside Fitness Back office · reference loc-001 · newest first Payments [a href=/pages/{opaque}/portal/{opaque}
        aria-current=page] All [a href=/pages/{opaque}/portal/{opaque}?status=Pending] Pending [a
        href=/pages/{opaque}/portal/{opaque}?status=Scheduled] Scheduled [a href=/pages/{opaque}/portal/{opaque}?status=Queued]
        Queued [a href=/pages/{opaque}/portal/{opaque}?status=InReview] InReview [a
        href=/pages/{opaque}/portal/{opaque}?status=Processing] Processing [a href=/pages/{opaque}/portal/{opaque}?status=Paid]
        Paid [a href=/pages/{opaque}/portal/{opaque}?status=Failed] Failed [a href=/pages/{opaque}/portal/{opaque}?status=Denied]
        Denied [a href=/pages/{opaque}/portal/{opaque}?status=Canceled] Canceled Requested Payer For Status Amount Mar 2, 2026,
        17:00 UTC pat.lindgren@example.com Membership, October Paid [a href=/pages/{opaque}/portal/{opaque}/payments/{opaque}]
        $50.00 of pat.lindgren@example.com, Paid
        """

    @needs:control
    Scenario: What the message says
      Given a company
      When the partner asks for a bank link
      Then the message "bank-link" gives the company as "Hillside Fitness"
      And the message "bank-link" gives the link as "{bank link}"

  @clause:company.link.once
  Rule: Each bank link is a new one

    Scenario: Two links differ
      Given a company
      And the partner asks for a bank link
      When the partner asks for a bank link
      Then the answers differ in externalAuthLinkUrl

    @needs:control
    Scenario: A link works once
      Given a company
      And the partner asks for a bank link
      And the company opens the bank link
      And the company answers the page with:
        | bank | good |
      When the company opens the bank link
      Then the page answers with the status 410
      And the page says "It works once, and it has connected a bank account already."
      And the page is, with all that it can send:
        """
        This link has been used Used It works once, and it has connected a bank account already. Ask for a new link to connect another
        account: the company's software makes one with POST /Company/{companyId}/ExternalAuthLink.
        """

  @clause:company.link.mobile-number
  Rule: The mobile number for a bank link is E.164 with at most 15 digits

    Scenario Outline: mobileNumber as "<value>" is refused
      Given a company
      When the partner asks for a bank link with mobileNumber "<value>"
      Then the call is refused because of "mobileNumber"

      Examples:
        | value             |
        | nothing           |
        | 2135550101        |
        | +0135550101       |
        | +1 213 555 0101   |
        | +1234567890123456 |
        | an empty text     |

    @needs:control
    Scenario Outline: mobileNumber as "<value>" is accepted
      Given a company
      When the partner asks for a bank link with mobileNumber "<value>"
      Then the message "bank-link" goes out by sms to "<value>"

      Examples:
        | value         |
        | +12135550101  |
        | +442079460958 |
