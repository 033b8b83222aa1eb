@area:payers
Feature: A partner registers payers

  @clause:user.register
  Rule: A payer's registration answers an id and the address of the registration page

    Scenario: A payer with everything that is known
      When the partner registers a payer
      Then the call is accepted without advice
      And the answer's registrationId is an id
      And the answer's registrationUrl is a web address

    Scenario: The redirect address alone is enough
      Given the partner registers a payer with:
        | mobileNumber     | nothing |
        | email            | nothing |
        | shortDescription | nothing |
        | amount           | nothing |
        | period           | nothing |
      When the partner asks for the payer's status
      Then the answer's status is "Pending"

    @needs:control
    Scenario: The page shows what the payer is asked for
      Given the partner registers a payer
      When the payer opens the registration page
      Then the page answers with the status 200
      And the page's amount is "$50.00"
      And the page's purpose is "Monthly membership"
      And the page's period is "once"
      And the page is, with all that it can send:
        """
        Link your bank account Step 1 of 2: your bank $50.00 Link the bank account that you want to pay from. It is for Monthly
        membership ( once ). [form action=/pages/{opaque}/register/{opaque}] [input type=hidden name=csrf value={opaque}] Which
        account do you link? [input type=radio name=bank value=good aria-describedby=bank-good-hint] Good account Every payment is
        collected and stays Paid. [input type=radio name=bank value=insufficient-funds
        aria-describedby=bank-insufficient-funds-hint] Insufficient funds The bank refuses every payment with R01; it becomes
        Failed. [input type=radio name=bank value=closed-account aria-describedby=bank-closed-account-hint] Closed account The
        bank refuses every payment with R02; it becomes Failed. [input type=radio name=bank value=unauthorised-late-return
        aria-describedby=bank-unauthorised-late-return-hint] Unauthorised, returned late Every payment becomes Paid, then the bank
        returns it with R10 and it becomes Failed. [input type=radio name=bank value=under-review
        aria-describedby=bank-under-review-hint] Under review Every payment is InReview first and is collected after that. [input
        type=radio name=bank value=slow aria-describedby=bank-slow-hint] Slow bank Every payment is Queued first and takes two
        banking days to be collected. [input type=radio name=bank value=own aria-describedby=bank-own-hint] Another account Type a
        routing and an account number of the test data. Routing number Nine digits, for example 110000000. [input name=routing
        type=text value inputmode=numeric autocomplete=off maxlength=20 aria-describedby=routing-hint] Account number Any 4 to 17
        digits are a good account. The ending 010001 is refused with R01, 210010 is returned late with R10. [input name=account
        type=text value inputmode=numeric autocomplete=off maxlength=40 aria-describedby=account-hint] [button name=step
        value=bank] Continue
        """

    @needs:control
    Scenario: What the message says
      When the partner registers a payer
      Then the message "registration" gives the purpose as "Monthly membership"
      And the message "registration" gives the link as "{registration page}"
      And the message "registration" goes out by email to "pat.lindgren@example.com"
      And the message "registration" reads "You are invited to link your bank account for: Monthly membership."

  @clause:user.register.redirect-url
  Rule: The address to go to after the registration is required

    Scenario Outline: redirectUrl as "<value>" is refused
      When the partner registers a payer with redirectUrl "<value>"
      Then the call is refused because of "redirectUrl"

      Examples:
        | value         |
        | nothing       |
        | an empty text |
        | null          |

  @clause:user.register.redirect-url-form
  Rule: The redirect address is one that a browser can be sent to

    Scenario Outline: redirectUrl as "<value>" is refused
      When the partner registers a payer with redirectUrl "<value>"
      Then the call is refused because of "redirectUrl"

      Examples:
        | value                      |
        | welcome                    |
        | /welcome                   |
        | ftp://partner.example.com/ |
        | javascript:alert(1)        |
        | https://                   |
        | partner.example.com:443    |
        | C:/welcome                 |
        | HTTPS:///welcome           |
        | javascript:/x/             |

    @needs:control @choice:registration-redirect=none
    Scenario Outline: redirectUrl as "<value>" is accepted
      Given the partner registers a payer with redirectUrl "<value>"
      When the payer completes the registration
      Then the payer's next page is "<value>"

      Examples:
        | value                                        |
        | https://partner.example.com/welcome?x=1#here |
        | http://localhost:3000/                       |
        | myapp://back                                 |
        | com.partner.example:/back                    |

  @clause:user.register.mobile-number
  Rule: A payer's mobile number is E.164 with at most 15 digits

    Scenario Outline: mobileNumber as "<value>" is refused
      When the partner registers a payer with mobileNumber "<value>"
      Then the call is refused because of "mobileNumber"

      Examples:
        | value             |
        | 2025550123        |
        | 0012025550123     |
        | +1 202 555 0123   |
        | +1234567890123456 |
        | +1                |
        | +abc              |

    @needs:control
    Scenario Outline: mobileNumber as "<value>" is accepted
      When the partner registers a payer with mobileNumber "<value>"
      Then the message "registration" goes out by sms to "<value>"

      Examples:
        | value         |
        | +12025550123  |
        | +442079460958 |

  @clause:user.register.email
  Rule: A payer's e-mail address should be valid

    Scenario Outline: email as "<value>" is accepted with an advice
      When the partner registers a payer with email "<value>"
      Then the call is accepted with an advice about "email"

      Examples:
        | value       |
        | pat         |
        | pat@example |

    @needs:control
    Scenario: A strict integration refuses email as "pat"
      Given a strict integration
      When the partner registers a payer with email "pat"
      Then the call is refused because of "email"

    Scenario Outline: email as "<value>" needs no advice
      When the partner registers a payer with email "<value>"
      Then the call is accepted without advice

      Examples:
        | value                      |
        | pat.m.lindgren@example.com |
        | pat@example.com            |
        | nothing                    |

  @clause:user.register.amount
  Rule: A registration's amount is a positive number of cents

    Scenario Outline: amount as "<value>" is refused
      When the partner registers a payer with amount "<value>"
      Then the call is refused because of "amount"

      Examples:
        | value |
        | 0     |
        | -1    |

    @needs:control @choice:registration-with-payment=payment-request
    Scenario Outline: amount as "<value>" is accepted
      Given a company
      And the partner registers a payer with amount "<value>"
      And the payer completes the registration
      When the partner asks for the transaction report
      Then the answer's transactions[0].amount is "<value>"

      Examples:
        | value               |
        | 1                   |
        | 9223372036854775807 |

  @clause:user.register.company-verified
  Rule: The single payment of a registration goes to a company that is Verified

    @needs:control @choice:kyb-rehearsal=seeded @choice:registration-with-payment=payment-request
    Scenario: The company is still Unverified
      Given an integration in environment "rehearsal"
      And a company
      When the partner registers a payer with amount "500"
      Then the call is accepted with an advice about "amount"

    @needs:control
    Scenario: A registration that pays nothing has no need of one
      Given an integration in environment "rehearsal"
      And a company
      When the partner registers a payer with period "nothing"
      Then the call is accepted without advice

  @clause:user.register.period
  Rule: Once is the only period whose meaning is known

    Scenario Outline: period as "<value>" is accepted with an advice
      When the partner registers a payer with period "<value>"
      Then the call is accepted with an advice about "period"

      Examples:
        | value       |
        | monthly     |
        | Once a year |

    @needs:control
    Scenario: A strict integration refuses period as "monthly"
      Given a strict integration
      When the partner registers a payer with period "monthly"
      Then the call is refused because of "period"

    Scenario Outline: period as "<value>" needs no advice
      When the partner registers a payer with period "<value>"
      Then the call is accepted without advice

      Examples:
        | value   |
        | once    |
        | nothing |
