@area:payers
Feature: A partner follows payers

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

    @needs:control
    Scenario: Without an amount nothing is paid
      Given a company
      And the partner registers a payer with amount "nothing"
      And the payer completes the registration
      When the partner asks for the transaction report
      Then the answer lists 0 transactions
