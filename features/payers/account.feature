@area:payers
Feature: A partner links payers' accounts

  @clause:account.link-token @surface:docs
  Rule: A link token is answered with its id, its text and its end

    Scenario: A token for a payer
      Given a payer
      When the partner asks for a link token
      Then the answer's tokenId is an id
      And the answer's expiration is a moment

    Scenario: Each is another one
      Given a payer
      And the partner asks for a link token
      When the partner asks for a link token
      Then the answers differ in tokenId

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

    Scenario: Nothing is linked before
      Given a payer
      And a link token
      When the partner asks for the payer's status
      Then the answer's status is "Pending"

    Scenario: An account of the test data
      Given a payer
      And a link token
      When the partner links the account with linkAccountsMetadata.accountIds "an empty list"
      Then the answer's isOk is "true"

    @needs:control
    Scenario: Another account of a payer who has one
      Given a registered payer
      And a link token
      When the partner links the account
      Then the answer's isOk is "true"
      And the payer is "Registered"

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

    @needs:control @choice:rate-limit=none
    Scenario: A link token works when the sandbox goes back
      Given a payer
      And a link token
      And the sandbox is saved
      And the partner links the account
      And the sandbox goes back to what was saved
      When the partner links the account
      Then the answer's isOk is "true"
