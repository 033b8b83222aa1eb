@area:companies
Feature: A partner registers companies
  Every field of a company is judged before anything is kept.

  @clause:company.create
  Rule: A company's registration answers the company's id and the ids of its locations

    Scenario: A company with one location
      When the partner registers a company
      Then the call is accepted without advice
      And the answer's companyId is an id
      And the answer lists 1 locationIds
      And the answer's locationIds[0] is an id

    Scenario: A company can be registered without employees and locations
      When the partner registers a company with:
        | employees | nothing |
        | locations | nothing |
      Then the call succeeds
      And the answer lists 0 locationIds

    Scenario: Empty lists are as good as none
      When the partner registers a company with:
        | employees | an empty list |
        | locations | an empty list |
      Then the answer lists 0 locationIds

    Scenario: Several locations keep their order
      When the partner registers a company with locations[1].name "Second"
      Then the answer lists 2 locationIds

  @clause:company.create.nothing-on-failure
  Rule: A company that is refused leaves nothing behind

    @needs:fresh
    Scenario: A refused company is not listed
      Given the partner registers a company with zipCode "no zip"
      And the service refuses it as invalid
      When the partner lists the companies
      Then the answer lists 0 companies

    Scenario: A refused company's reference is still free
      Given the partner registers a company with state "California"
      And the service refuses it as invalid
      And the partner registers a company
      When the partner lists the companies
      Then one of the answer's companies has referenceId "the company's reference"

  @clause:company.create.all-problems
  Rule: A refusal names every invalid field, not the first one alone

    Scenario: Six problems in one answer
      When the partner registers a company with:
        | zipCode       | 1      |
        | state         | ca     |
        | emailAddress  | office |
        | companyType   | Circus |
        | owner.ssn     | 12345  |
        | contactNumber | 12     |
      Then the service refuses it as invalid
      And the refusal names exactly:
        | zipCode       |
        | state         |
        | emailAddress  |
        | companyType   |
        | owner.ssn     |
        | contactNumber |

  @clause:company.create.reference
  Rule: The partner's own reference is required

    Scenario Outline: companyReferenceId as "<value>" is refused
      When the partner registers a company with companyReferenceId "<value>"
      Then the call is refused because of "companyReferenceId"

      Examples:
        | value         |
        | nothing       |
        | an empty text |

    Scenario: companyReferenceId of a blank alone is refused
      When the partner registers a company with companyReferenceId " "
      Then the call is refused because of "companyReferenceId"

  @clause:company.create.reference-unique
  Rule: A reference names one company of an integration

    Scenario: The same reference a second time
      Given a company
      When the partner registers a company
      Then the call is refused because of "companyReferenceId"

    @needs:control
    Scenario: Another integration may use the same reference
      Given a company
      And another partner
      And the other partner registers a company
      When the other partner lists the companies
      Then one of the answer's companies has referenceId "the company's reference"

    @needs:fresh
    Scenario: The first company stays as it is
      Given a company
      And the partner registers a company with name "Second Try"
      And the service refuses it as invalid
      When the partner lists the companies
      Then the answer lists 1 companies
      And the answer's companies[0].name is "Hillside Fitness"

  @clause:company.create.name
  Rule: A company should have a name

    Scenario Outline: name as "<value>" is accepted with an advice
      When the partner registers a company with name "<value>"
      Then the call is accepted with an advice about "name"

      Examples:
        | value         |
        | nothing       |
        | an empty text |

    @needs:control
    Scenario: A strict integration refuses name as "nothing"
      Given a strict integration
      When the partner registers a company with name "nothing"
      Then the call is refused because of "name"

  @clause:company.create.kyb-prefix
  Rule: A name that begins with the test word KYB names a known test, which environment rehearsal plays

    Scenario Outline: name as "<value>" is refused
      When the partner registers a company with name "<value>"
      Then the call is refused because of "name"

      Examples:
        | value         |
        | KYB MAYBE Gym |
        | KYB           |

    Scenario Outline: name as "<value>" is accepted
      Given the partner registers a company with name "<value>"
      When the partner lists the companies
      Then one of the answer's companies has name "<value>"

      Examples:
        | value          |
        | KYB REJECT Gym |
        | KYB SLOW Gym   |
        | Kybele Gym     |

  @clause:company.create.email
  Rule: A company's e-mail address is valid

    Scenario Outline: emailAddress as "<value>" is refused
      When the partner registers a company with emailAddress "<value>"
      Then the call is refused because of "emailAddress"

      Examples:
        | value               |
        | nothing             |
        | office              |
        | office@             |
        | @example.com        |
        | office@example      |
        | two@at@example.com  |
        | office@-example.com |
        | office@example.123  |
        | o@aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.com |
        | a b@example.com     |
        | Office <o@example.com> |
        | <o@example.com>     |

    Scenario Outline: emailAddress as "<value>" is accepted
      Given the partner registers a company with emailAddress "<value>"
      And a payer
      And the partner requests a payment
      When the partner asks for the payment's details
      Then the answer's emailAddress is "<value>"

      Examples:
        | value                          |
        | o@example.com                  |
        | first.last+tag@sub.example.com |
        | o@aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.com |
        | Front.Desk@Sub.EXAMPLE.Com     |

  @clause:company.create.contact-number
  Rule: A company's contact number is a valid phone number

    Scenario Outline: contactNumber as "<value>" is refused
      When the partner registers a company with contactNumber "<value>"
      Then the call is refused because of "contactNumber"

      Examples:
        | value               |
        | nothing             |
        | 12                  |
        | call me             |
        | +1                  |
        | +12345              |
        | +999999999999999999 |

    Scenario Outline: contactNumber as "<value>" is accepted
      Given the partner registers a company with contactNumber "<value>"
      And a payer
      And the partner requests a payment
      When the partner asks for the payment's details
      Then the answer's contactPhoneNumber is "<value>"

      Examples:
        | value          |
        | +12135550100   |
        | 2135550100     |
        | (213) 555-0100 |
        | +442079460958  |

  @clause:company.create.type
  Rule: A company's type is one of the accepted values, in any letter case

    Scenario Outline: companyType as "<value>" is refused
      When the partner registers a company with companyType "<value>"
      Then the call is refused because of "companyType"

      Examples:
        | value              |
        | nothing            |
        | Circus             |
        | For Profit         |
        | ſoleProprietorship |
        | an empty text      |

    Scenario Outline: companyType as "<value>" needs no advice
      When the partner registers a company with companyType "<value>"
      Then the call is accepted without advice

      Examples:
        | value              |
        | ForProfit          |
        | forprofit          |
        | FORPROFIT          |
        | SoleProprietorship |
        | NonProfit          |
        | Corporation        |
        | llc                |
        | Partnership        |

  @clause:company.create.tax-id
  Rule: A company should have a tax id

    Scenario: taxId as "nothing" is accepted with an advice
      When the partner registers a company with taxId "nothing"
      Then the call is accepted with an advice about "taxId"

    @needs:control
    Scenario: A strict integration refuses taxId as "nothing"
      Given a strict integration
      When the partner registers a company with taxId "nothing"
      Then the call is refused because of "taxId"

  @clause:company.create.tax-id-type
  Rule: A tax id should be an EIN, a TIN or an SSN

    Scenario Outline: taxIdType as "<value>" is accepted with an advice
      When the partner registers a company with taxIdType "<value>"
      Then the call is accepted with an advice about "taxIdType"

      Examples:
        | value   |
        | VAT     |
        | nothing |

    @needs:control
    Scenario: A strict integration refuses taxIdType as "VAT"
      Given a strict integration
      When the partner registers a company with taxIdType "VAT"
      Then the call is refused because of "taxIdType"

    Scenario Outline: taxIdType as "<value>" needs no advice
      When the partner registers a company with taxIdType "<value>"
      Then the call is accepted without advice

      Examples:
        | value |
        | EIN   |
        | TIN   |
        | SSN   |

  @clause:company.create.street
  Rule: A company should have a street

    Scenario: streetNumberAndName as "nothing" is accepted with an advice
      When the partner registers a company with streetNumberAndName "nothing"
      Then the call is accepted with an advice about "streetNumberAndName"

    @needs:control
    Scenario: A strict integration refuses streetNumberAndName as "nothing"
      Given a strict integration
      When the partner registers a company with streetNumberAndName "nothing"
      Then the call is refused because of "streetNumberAndName"

  @clause:company.create.city
  Rule: A company should have a city

    Scenario: city as "nothing" is accepted with an advice
      When the partner registers a company with city "nothing"
      Then the call is accepted with an advice about "city"

    @needs:control
    Scenario: A strict integration refuses city as "nothing"
      Given a strict integration
      When the partner registers a company with city "nothing"
      Then the call is refused because of "city"

  @clause:company.create.state
  Rule: A company's state is a two-letter upper-case abbreviation

    Scenario Outline: state as "<value>" is refused
      When the partner registers a company with state "<value>"
      Then the call is refused because of "state"

      Examples:
        | value      |
        | nothing    |
        | ca         |
        | Ca         |
        | C          |
        | CAL        |
        | California |
        | C1         |

    Scenario Outline: state as "<value>" is accepted
      Given the partner registers a company with state "<value>"
      And a payer
      And the partner requests a payment
      When the partner asks for the payment's details
      Then the answer's recipientAddress.state is "<value>"

      Examples:
        | value |
        | CA    |
        | NY    |

  @clause:company.create.zip
  Rule: A company's zip code is five digits with an optional hyphen

    Scenario Outline: zipCode as "<value>" is refused
      When the partner registers a company with zipCode "<value>"
      Then the call is refused because of "zipCode"

      Examples:
        | value         |
        | nothing       |
        | 1234          |
        | 123456        |
        | 1234a         |
        | 12345-67      |
        | 12345-67890   |
        | 12345 6789    |
        | an empty text |

    @choice:zip=optional-hyphen
    Scenario Outline: zipCode as "<value>" is accepted
      Given the partner registers a company with zipCode "<value>"
      And a payer
      And the partner requests a payment
      When the partner asks for the payment's details
      Then the answer's recipientAddress.zipCode is "<value>"

      Examples:
        | value      |
        | 12345      |
        | 00501      |
        | 12345-     |
        | 12345-6789 |

  @clause:company.create.website
  Rule: A website is optional

    Scenario Outline: websiteUrl as "<value>" needs no advice
      When the partner registers a company with websiteUrl "<value>"
      Then the call is accepted without advice

      Examples:
        | value                        |
        | nothing                      |
        | https://hillside.example.com |

    Scenario: A company without it is listed
      Given the partner registers a company with websiteUrl "nothing"
      When the partner lists the companies
      Then one of the answer's companies has referenceId "the company's reference"

  @clause:company.create.apartment
  Rule: An apartment number may be left out

    Scenario Outline: apartmentNumber as "<value>" needs no advice
      When the partner registers a company with apartmentNumber "<value>"
      Then the call is accepted without advice

      Examples:
        | value   |
        | nothing |
        | 4B      |

    Scenario: It is kept
      Given the partner registers a company with apartmentNumber "4B"
      And a payer
      And the partner requests a payment
      When the partner asks for the payment's details
      Then the answer's recipientAddress.apartmentNumber is "4B"
