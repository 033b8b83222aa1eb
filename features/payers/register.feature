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
      When the partner registers a payer with:
        | mobileNumber     | nothing |
        | email            | nothing |
        | shortDescription | nothing |
        | amount           | nothing |
        | period           | nothing |
      Then the call succeeds

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

    Scenario Outline: redirectUrl as "<value>" is accepted
      When the partner registers a payer with redirectUrl "<value>"
      Then the call succeeds

      Examples:
        | value                                        |
        | https://partner.example.com/welcome?x=1#here |
        | http://localhost:3000/                       |

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

    Scenario Outline: mobileNumber as "<value>" is accepted
      When the partner registers a payer with mobileNumber "<value>"
      Then the call succeeds

      Examples:
        | value         |
        | +12025550123  |
        | +442079460958 |
        | nothing       |

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
        | value           |
        | pat@example.com |
        | nothing         |

  @clause:user.register.amount
  Rule: A registration's amount is a positive number of cents

    Scenario Outline: amount as "<value>" is refused
      When the partner registers a payer with amount "<value>"
      Then the call is refused because of "amount"

      Examples:
        | value |
        | 0     |
        | -1    |

    Scenario Outline: amount as "<value>" is accepted
      When the partner registers a payer with amount "<value>"
      Then the call succeeds

      Examples:
        | value               |
        | 1                   |
        | 9223372036854775807 |
        | nothing             |

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

  @clause:user.register.pending
  Rule: A new payer is Pending

    Scenario: Before the page was opened
      When the partner registers a payer
      Then the payer is "Pending"

  @clause:user.register.message
  Rule: A payer whose contact is known gets the registration link

    @needs:control
    Scenario: By text message
      When the partner registers a payer
      Then the message "registration" goes out by sms to "+12025550123"
      And the message "registration" holds "link"

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

  @clause:user.status.account-mask
  Rule: A Registered payer's account is shown by an asterisk and its last four digits

    @needs:control
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

    @needs:control
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

    @needs:control
    Scenario: Without an amount nothing is paid
      Given a company
      And the partner registers a payer with amount "nothing"
      And the payer completes the registration
      When the partner asks for the transaction report
      Then the answer lists 0 transactions

  @clause:account.link-token @surface:docs
  Rule: A link token is answered with its id, its text and its end

    Scenario: A token for a payer
      Given a payer
      When the partner asks for a link token
      Then the answer's tokenId is an id
      And the answer's expiration is a moment

  @clause:account.link-token.verification-id @surface:docs
  Rule: A link token is asked for a payer

    Scenario Outline: verificationId as "<value>" is refused
      Given a payer
      When the partner asks for a link token with verificationId "<value>"
      Then the call is refused because of "verificationId"

      Examples:
        | value         |
        | nothing       |
        | an empty text |

  @clause:account.link-token.verification-id-form @surface:docs
  Rule: The payer of a link token is named by a uuid

    Scenario Outline: verificationId as "<value>" is refused
      Given a payer
      When the partner asks for a link token with verificationId "<value>"
      Then the call is refused because of "verificationId"

      Examples:
        | value      |
        | 42         |
        | not-a-uuid |

  @clause:account.link-token.verification-id-known @surface:docs
  Rule: The payer of a link token is one of the integration's

    Scenario: verificationId as "an unknown id" is refused
      Given a payer
      When the partner asks for a link token with verificationId "an unknown id"
      Then the call is refused because of "verificationId"

  @clause:account.link @surface:docs
  Rule: An account that is linked makes the payer Registered

    Scenario: A good account
      Given a payer
      And a link token
      When the partner links the account
      Then the answer's isOk is "true"
      And the payer is "Registered"

    Scenario: An account of the test data
      Given a payer
      And a link token
      When the partner links the account with linkAccountsMetadata.accountIds "an empty list"
      Then the answer's isOk is "true"

  @clause:account.link.token-id @surface:docs
  Rule: An account is linked with a link token

    Scenario: tokenId as "nothing" is refused
      Given a payer
      And a link token
      When the partner links the account with tokenId "nothing"
      Then the call is refused because of "tokenId"

  @clause:account.link.token-id-form @surface:docs
  Rule: The link token is named by a uuid

    Scenario: tokenId as "seven" is refused
      Given a payer
      And a link token
      When the partner links the account with tokenId "seven"
      Then the call is refused because of "tokenId"

  @clause:account.link.public-token @surface:docs
  Rule: An account is linked with the public token of the bank-linking client

    Scenario: publicToken as "nothing" is refused
      Given a payer
      And a link token
      When the partner links the account with publicToken "nothing"
      Then the call is refused because of "publicToken"

  @clause:account.link.error @surface:docs
  Rule: A link that fails is told in the answer

    Scenario: An unknown token
      Given a payer
      When the partner links the account with tokenId "an unknown id"
      Then the answer's isOk is "false"
      And the answer's linkError.errorCode is "INVALID_LINK_TOKEN"

    Scenario: A used token
      Given a payer
      And a link token
      And the partner links the account
      When the partner links the account
      Then the answer's linkError.errorCode is "USED_LINK_TOKEN"

    @needs:control
    Scenario: An expired token
      Given a payer
      And a link token
      And 30 minutes pass
      When the partner links the account
      Then the answer's linkError.errorCode is "EXPIRED_LINK_TOKEN"

    Scenario: An unknown bank
      Given a payer
      And a link token
      When the partner links the account with publicToken "public-nowhere"
      Then the answer's linkError.errorCode is "UNKNOWN_TEST_DATA"
