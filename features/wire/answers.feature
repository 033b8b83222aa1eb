@area:wire
Feature: Answers on the wire

  @clause:wire.accept
  Rule: An answer comes in the media type that was asked for

    @needs:fresh
    Scenario Outline: Accept: <accept>
      Given the header "Accept" is "<accept>"
      When the client sends "GET /Company/List"
      Then the answer comes as "<type>"
      And the answer lists 0 companies

      Examples:
        | accept                      | type                            |
        | application/json            | application/json; charset=utf-8 |
        | text/json                   | text/json; charset=utf-8        |
        | text/plain                  | text/plain; charset=utf-8       |
        | text/*                      | text/json; charset=utf-8        |
        | */*                         | application/json; charset=utf-8 |
        | application/xml             | application/json; charset=utf-8 |
        | text/plain;q=0.5, text/json | text/json; charset=utf-8        |
        |                             | application/json; charset=utf-8 |

    Scenario Outline: What is wished for most is given: <accept>
      Given the header "Accept" is "<accept>"
      When the client sends "GET /Company/List"
      Then the answer comes as "<type>"

      Examples:
        | accept                                  | type                            |
        | text/*;q=0.1, */*                       | application/json; charset=utf-8 |
        | */*, text/*;q=0.1                       | application/json; charset=utf-8 |
        | */*;q=0.1, text/*                       | text/json; charset=utf-8        |
        | application/json;q=0.2, */*             | text/json; charset=utf-8        |
        | text/json;q=2, application/json;q=0.1   | application/json; charset=utf-8 |
        | text/json;q=2, text/plain;q=0.001       | text/plain; charset=utf-8       |
        | text/json;q=no, text/plain;q=0.001      | text/plain; charset=utf-8       |
        | text/json;q=0.001, application/json;q=0 | text/json; charset=utf-8        |
        | text/plain;q=0.3, text/*;q=0.2          | text/plain; charset=utf-8       |

  @clause:wire.response-names
  Rule: Answers name their members in camelCase

    @choice:extra-response-fields=none
    Scenario: A company's registration
      When the partner registers a company
      Then the answer has exactly the members:
        | companyId   | id   |
        | locationIds | list |

  @clause:wire.token
  Rule: A token's answer has exactly three members

    @choice:extra-response-fields=none
    Scenario: Three members
      When the partner asks for a token
      Then the answer has exactly the members:
        | accessToken      | text   |
        | tokenType        | text   |
        | expiresInSeconds | number |

    Scenario: It opens the service
      Given a company
      And the partner asks for a token
      And the partner sends the token that was answered
      When the partner lists the companies
      Then one of the answer's companies has referenceId "the company's reference"

  @clause:wire.company-list
  Rule: An entry of the company list has exactly id, name and referenceId

    Scenario: Three members
      Given a company
      When the partner lists the companies
      Then every entry of companies has exactly the members:
        | id          | id   |
        | name        | text |
        | referenceId | text |

  @clause:wire.company-status
  Rule: A company's status has exactly one member

    @choice:extra-response-fields=none
    Scenario: The whole answer
      Given a company
      When the client sends "GET /Company/{company's reference}/Status"
      Then the answer is exactly:
        """
        {"status": "Verified"}
        """

  @clause:wire.location
  Rule: A new location's answer has exactly one member

    @choice:extra-response-fields=none
    Scenario: One member
      Given a company
      When the partner adds a location
      Then the answer has exactly the members:
        | locationId | id |

  @clause:wire.location-list
  Rule: An entry of the location list is exactly as the specification has it

    @choice:extra-response-fields=none
    Scenario: The whole answer
      Given a company
      When the client sends "GET /Company/{company's reference}/Locations"
      Then the answer is exactly:
        """
        {"locations": [{"id": "{location}", "name": "Hillside Downtown", "address": {
          "streetNumberAndName": "410 Hill Street", "apartmentNumber": "Suite 12", "city": "Los Angeles",
          "zipCode": "90012", "state": "CA", "country": "US"}}]}
        """

  @clause:wire.bank-link
  Rule: A bank link's answer has exactly one member

    @choice:extra-response-fields=none
    Scenario: One member
      Given a company
      When the partner asks for a bank link
      Then the answer has exactly the members:
        | externalAuthLinkUrl | text |

  @clause:wire.registration
  Rule: A registration's answer has exactly two members

    @choice:extra-response-fields=none
    Scenario: Two members
      When the partner registers a payer
      Then the answer has exactly the members:
        | registrationId  | id   |
        | registrationUrl | text |

  @clause:wire.user-status
  Rule: A payer's status is exactly status and accountMask

    @choice:extra-response-fields=none
    Scenario: Before the registration
      Given a payer
      When the client sends "GET /User/{payer}/Status"
      Then the answer is exactly:
        """
        {"status": "Pending", "accountMask": null}
        """

    @needs:control @choice:account-mask=asterisk @choice:extra-response-fields=none
    Scenario: After the registration
      Given a registered payer
      When the client sends "GET /User/{payer}/Status"
      Then the answer is exactly:
        """
        {"status": "Registered", "accountMask": "*1111"}
        """

  @clause:wire.payment
  Rule: A payment request's answer has exactly four members

    @needs:control @choice:extra-response-fields=none
    Scenario: Four members
      Given a company
      And a registered payer
      When the partner requests a payment
      Then the answer has exactly the members:
        | paymentRequestId     | id   |
        | accountMask          | text |
        | url                  | text |
        | registrationPersonId | id   |

  @clause:wire.card-auth
  Rule: A card authorisation's answer has exactly three members

    @choice:extra-response-fields=none
    Scenario: Three members
      Given a company
      And a payer
      When the partner asks for a card authorisation
      Then the answer has exactly the members:
        | paymentRequestId     | id   |
        | url                  | text |
        | registrationPersonId | id   |

  @clause:wire.saved-card
  Rule: A saved-card charge's answer has exactly four members

    @needs:control @choice:extra-response-fields=none
    Scenario: Four members
      Given a company
      And a payer
      And a saved card "approved"
      When the partner charges the saved card
      Then the answer has exactly the members:
        | paymentRequestId | id     |
        | registrationId   | id     |
        | status           | text   |
        | chargedAmount    | number |

  @clause:wire.empty-answers
  Rule: What has nothing to tell answers without a body

    @needs:control
    Scenario: A cancellation
      Given a payment that is "Pending"
      When the partner cancels the payment
      Then the answer is empty
      And the answer has no header "Content-Type"

  @clause:wire.payment-status @surface:docs
  Rule: A payment's status is flat, with the amount as value and currency

    @choice:extra-response-fields=none
    Scenario: Five members
      Given a company
      And a payer
      And a payment request with dueDate "2026-04-01"
      When the partner asks for the payment's status
      Then the answer has exactly the members:
        | id           | id     |
        | status       | text   |
        | amount       | object |
        | creationDate | moment |
        | dueDate      | moment |

  @clause:wire.payment-methods @surface:docs
  Rule: A saved card has exactly six members

    @needs:control
    Scenario: Six members
      Given a payer
      And a saved card "approved"
      When the partner lists the saved cards
      Then every entry of paymentMethods has exactly the members:
        | id       | text   |
        | type     | text   |
        | brand    | text   |
        | last4    | text   |
        | expMonth | number |
        | expYear  | number |

  @clause:wire.no-extra-members
  Rule: Answers have no members beyond those

    @needs:fresh
    Scenario: A list of companies
      Given a company
      When the client sends "GET /Company/List"
      Then the answer is exactly:
        """
        {"companies": [{"id": "{company}", "name": "Hillside Fitness", "referenceId": "{company's reference}"}]}
        """

  @clause:wire.field-order
  Rule: Members come in the order of their declaration

    @choice:extra-response-fields=none @choice:response-names=camel
    Scenario: The exact text of a payer's status
      Given a payer
      When the partner asks for the payer's status
      Then the answer's text is exactly:
        """
        {"status":"Pending","accountMask":null}
        """

    @choice:extra-response-fields=none @choice:response-names=camel
    Scenario: The exact text of a company's registration
      When the partner registers a company
      Then the answer's text is exactly:
        """
        {"companyId":"{company}","locationIds":["{location}"]}
        """

    @choice:extra-response-fields=none @choice:response-names=camel
    Scenario: The exact text of the locations
      Given a company
      When the partner lists the locations
      Then the answer's text is exactly:
        """
        {"locations":[{"id":"{location}","name":"Hillside Downtown","address":{"streetNumberAndName":"410 Hill Street","apartmentNumber":"Suite 12","city":"Los Angeles","zipCode":"90012","state":"CA","country":"US"}}]}
        """

  @clause:wire.list-order
  Rule: Lists are in the order of creation

    @needs:fresh
    Scenario: Two companies
      Given a company
      And another company
      When the partner lists the companies
      Then the answer's companies[0].id is "the company's id"
      And the answer's companies[1].id is "the other company's id"

  @clause:wire.null
  Rule: A member without a value is null

    Scenario: An account that is not linked
      Given a payer
      When the partner asks for the payer's status
      Then the answer's accountMask is null

  @clause:wire.dates @surface:docs
  Rule: Moments are ISO 8601 in UTC

    @needs:control @choice:details-shape=flat
    Scenario: The creation of a payment
      Given the clock starts at "2026-05-06T07:08:09Z"
      And a company
      And a payer
      And a payment request
      When the partner asks for the payment's status
      Then the answer's creationDate is "2026-05-06T07:08:09Z"

    @needs:control
    Scenario Outline: The answer's own headers tell the service's time: <header>
      Given the clock starts at "2026-05-06T07:08:09Z"
      When the partner lists the companies
      Then the answer's header "<header>" is "<value>"

      Examples:
        | header       | value                         |
        | Sandbox-Time | 2026-05-06T07:08:09Z          |
        | Date         | Wed, 06 May 2026 07:08:09 GMT |

    @needs:control
    Scenario: A label that cannot be one is told, and the call is answered all the same
      Given the clock starts at "2026-05-06T07:08:09Z"
      And the header "Sandbox-Label" is " "
      When the client sends "GET /Company/List"
      Then the answer has the status 200
      And the answer's header "Sandbox-Label-Refused" is "a label has 1 to 100 printable characters"

    @needs:control
    Scenario Outline: Who passes a trace on is found by it, if it is one: <trace>
      Given a company
      And the header "traceparent" is "<trace>"
      And the client sends "GET /Company/List"
      When the tester calls "GET /search?label=<label>&operation=listCompanies"
      Then the answer lists <n> entries

      Examples:
        | trace                                                   | label                            | n |
        | 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01 | 4bf92f3577b34da6a3ce929d0e0e4736 | 1 |
        | 00-4bf92f3577b34da6a3ce929d0e0e4736                     | 4bf92f3577b34da6a3ce929d0e0e4736 | 0 |
        | 00-4BF92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01 | 4BF92f3577b34da6a3ce929d0e0e4736 | 0 |
        | 00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01  | 4bf92f3577b34da6a3ce929d0e0e473  | 0 |
        | 00-00000000000000000000000000000000-00f067aa0ba902b7-01 | 00000000000000000000000000000000 | 0 |
