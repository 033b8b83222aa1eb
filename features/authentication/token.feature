@area:authentication
Feature: A partner gets access

  @clause:auth.token
  Rule: A client id and its secret get an access token, its type and its lifetime

    @choice:token-lifetime=3600
    Scenario: The right credentials
      When the partner asks for a token
      Then the answer's tokenType is "Bearer"
      And the answer's expiresInSeconds is "3600"

    Scenario: The token opens the service
      Given a company
      And the partner holds a token
      When the partner lists the companies
      Then one of the answer's companies has referenceId "the company's reference"

  @clause:auth.token.lifetime
  Rule: A token is good for an hour

    @needs:control
    Scenario: A second before its end
      Given a company
      And the partner holds a token
      And 3599 seconds pass
      When the partner lists the companies
      Then one of the answer's companies has referenceId "the company's reference"

    @needs:control
    Scenario: At its end
      Given the partner holds a token
      And 3600 seconds pass
      When the partner lists the companies
      Then the service refuses it as unauthorised
      And the tape knows the caller as "expired"

  @clause:auth.token.path
  Rule: The token is also got under the guides' path

    Scenario: The guides' path
      When the partner asks for a token under the guides' path
      Then the answer's tokenType is "Bearer"

    Scenario: It opens the service
      Given a company
      And the partner asks for a token under the guides' path
      And the partner sends the token that was answered
      When the partner lists the companies
      Then one of the answer's companies has referenceId "the company's reference"

  @clause:auth.token.open
  Rule: The call for a token needs no authorization header

    Scenario Outline: With the authorization "<header>"
      Given a company
      And the header "Authorization" is "<header>"
      And the partner asks for a token
      And the partner sends the token that was answered
      When the partner lists the companies
      Then one of the answer's companies has referenceId "the company's reference"

      Examples:
        | header       |
        |              |
        | Bearer stale |
        | Basic abc    |

  @clause:token.client-id
  Rule: A token is asked for with a client id

    Scenario Outline: clientId as "<value>" is refused
      When the partner asks for a token with clientId "<value>"
      Then the call is refused because of "clientId"

      Examples:
        | value         |
        | nothing       |
        | an empty text |

  @clause:token.client-secret
  Rule: A token is asked for with a client secret

    Scenario Outline: clientSecret as "<value>" is refused
      When the partner asks for a token with clientSecret "<value>"
      Then the call is refused because of "clientSecret"

      Examples:
        | value         |
        | nothing       |
        | an empty text |

  @clause:auth.token.refused
  Rule: Wrong credentials get no token, and the answer does not tell what was wrong

    @choice:error-body=problem-details @choice:unauthorised=problem-details
    Scenario Outline: A wrong <member>
      When the partner asks for a token with <member> "no-such-thing"
      Then the service refuses it as unauthorised
      And the answer never shows "no-such-thing"

      Examples:
        | member       |
        | clientId     |
        | clientSecret |

    @choice:error-body=problem-details @choice:unauthorised=problem-details
    Scenario: A wrong id and a wrong secret are answered alike
      Given the partner asks for a token with clientId "wrong"
      When the partner asks for a token with clientSecret "wrong"
      Then the service refuses it as unauthorised
      And the refusal is told in problem details

  @clause:auth.token.secret-hidden
  Rule: A client secret is never shown again

    @needs:control @choice:token-refusal=401
    Scenario: Neither in the answer nor on the tape
      Given the partner's secret is "a-very-secret-guess"
      When the partner asks for a token
      Then the service refuses it as unauthorised
      And the tape never shows "a-very-secret-guess"

  @clause:auth.bearer
  Rule: Every operation but the call for a token needs a bearer token

    @choice:cancel-verb=put-or-post @choice:debit-auth-read=on @choice:refund-path=either
    Scenario Outline: <method> <path> without a token
      Given the partner sends the authorization ""
      When the client sends "<method> <path>"
      Then the service refuses it as unauthorised

      Examples:
        | method | path                                    |
        | POST   | /Company/Create                         |
        | GET    | /Company/List                           |
        | GET    | /company/status                         |
        | GET    | /Company/loc-001/Status                 |
        | POST   | /Company/loc-001/Locations              |
        | GET    | /Company/loc-001/Locations              |
        | POST   | /Company/loc-001/ExternalAuthLink       |
        | POST   | /User/Register                          |
        | GET    | /User/{unknown}/Status                  |
        | POST   | /User/{unknown}/DebitAuth               |
        | GET    | /User/{unknown}/DebitAuth               |
        | POST   | /Payment/Create                         |
        | POST   | /Payment/Card/Auth                      |
        | POST   | /Payment/ChargeSavedCard                |
        | PUT    | /Payment/{unknown}/Cancel               |
        | POST   | /Payment/{unknown}/Cancel               |
        | POST   | /Payment/Refund/{unknown}               |
        | POST   | /Payment/Refund                         |
        | GET    | /Payment/{unknown}/Status               |
        | GET    | /Payment/CardPaymentMethods/{unknown}   |
        | POST   | /Payment/Recurring                      |
        | POST   | /CardPayment                            |
        | GET    | /Transaction/Report                     |
        | GET    | /Transaction/PaymentRequest/{unknown}   |
        | POST   | /Account/LinkToken                      |
        | PUT    | /Account/Link                           |
        | POST   | /PaymentPlan/Create                     |
        | GET    | /PaymentPlan/List                       |
        | GET    | /PaymentPlan/{unknown}                  |
        | PUT    | /PaymentPlan/{unknown}/Activate         |
        | PUT    | /PaymentPlan/{unknown}/Pause            |
        | PUT    | /PaymentPlan/{unknown}/Cancel           |
        | POST   | /PaymentPlan/{unknown}/Payers           |
        | DELETE | /PaymentPlan/{unknown}/Payers/{unknown} |
        | GET    | /Consent/List                           |
        | GET    | /Consent/{unknown}                      |
        | PUT    | /Consent/{unknown}/Decline              |

  @clause:auth.bearer.broken
  Rule: A token that is broken, forged or revoked opens nothing, and all refusals are alike

    @needs:control
    Scenario Outline: A token that is <how>
      Given the partner's token is <how>
      When the partner lists the companies
      Then the service refuses it as unauthorised
      And the tape knows the caller as "<verdict>"

      Examples:
        | how                     | verdict         |
        | unsigned                | alg-none        |
        | signed with another key | wrong-signature |
        | tampered with           | wrong-signature |
        | cut short               | malformed       |
        | sent as Basic           | malformed       |
        | another partner's       | foreign         |
        | revoked                 | revoked         |

    @needs:control
    Scenario Outline: Of a call of nobody the answer says on whose tape it stands: <how>
      Given the partner's token is <how>
      When the partner lists the companies
      Then the service refuses it as unauthorised
      And the answer says on whose tape it stands

      Examples:
        | how                     |
        | unsigned                |
        | signed with another key |
        | cut short               |
        | another partner's       |

    Scenario Outline: The authorization "<header>"
      Given the partner sends the authorization "<header>"
      When the partner lists the companies
      Then the service refuses it as unauthorised

      Examples:
        | header       |
        | Bearer       |
        | Bearer x     |
        | Bearer a.b.c |
        | Token abc    |

    Scenario: The scheme may be written in any case
      Given a company
      And the partner's token is in a lower-case scheme
      When the partner lists the companies
      Then one of the answer's companies has referenceId "the company's reference"

  @clause:auth.unauthorised
  Rule: A refusal names the bearer scheme and is told in problem details

    @choice:error-body=problem-details
    Scenario: Without a token
      Given the partner sends the authorization ""
      When the partner lists the companies
      Then the service refuses it as unauthorised
      And the answer's header "WWW-Authenticate" is "Bearer"
      And the refusal is told in problem details

    @needs:control
    Scenario: A token that a fault revokes
      Given the fault "{'tokenRevoked':'token'}" waits for "listCompanies"
      And the partner lists the companies
      And the service refuses it as unauthorised
      When the partner registers a payer
      Then the service refuses it as unauthorised
      And the answer's header "WWW-Authenticate" is "Bearer"

  @clause:auth.nothing-done
  Rule: A call without a token does nothing

    @needs:fresh
    Scenario: No company is made
      Given the partner's token is signed with another key
      And the partner registers a company
      And the service refuses it as unauthorised
      And the partner's token is in a lower-case scheme
      When the partner lists the companies
      Then the answer lists 0 companies
