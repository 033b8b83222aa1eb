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
      Then the call succeeds

    Scenario: Several locations keep their order
      When the partner registers a company with locations[1].name "Second"
      Then the answer lists 2 locationIds

  @clause:company.create.nothing-on-failure
  Rule: A company that is refused leaves nothing behind

    Scenario: A refused company is not listed
      Given the partner registers a company with zipCode "no zip"
      When the partner lists the companies
      Then the answer lists 0 companies

    Scenario: A refused company's reference is still free
      Given the partner registers a company with state "California"
      When the partner registers a company
      Then the call succeeds

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
      When the other partner registers a company
      Then the call succeeds

    Scenario: The first company stays as it is
      Given a company
      And the partner registers a company with name "Second Try"
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
  Rule: A name that begins with the test word KYB must name a known test

    Scenario Outline: name as "<value>" is refused
      When the partner registers a company with name "<value>"
      Then the call is refused because of "name"

      Examples:
        | value         |
        | KYB MAYBE Gym |
        | KYB           |

    Scenario Outline: name as "<value>" is accepted
      When the partner registers a company with name "<value>"
      Then the call succeeds

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
        | a b@example.com     |

    Scenario Outline: emailAddress as "<value>" is accepted
      When the partner registers a company with emailAddress "<value>"
      Then the call succeeds

      Examples:
        | value                          |
        | o@example.com                  |
        | first.last+tag@sub.example.com |

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
      When the partner registers a company with contactNumber "<value>"
      Then the call succeeds

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
        | value         |
        | nothing       |
        | Circus        |
        | For Profit    |
        | an empty text |

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
      When the partner registers a company with state "<value>"
      Then the call succeeds

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

    Scenario Outline: zipCode as "<value>" is accepted
      When the partner registers a company with zipCode "<value>"
      Then the call succeeds

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

  @clause:company.create.apartment
  Rule: An apartment number may be left out

    Scenario Outline: apartmentNumber as "<value>" needs no advice
      When the partner registers a company with apartmentNumber "<value>"
      Then the call is accepted without advice

      Examples:
        | value   |
        | nothing |
        | 4B      |

  @clause:company.create.owner
  Rule: A company has an owner

    Scenario Outline: owner as "<value>" is refused
      When the partner registers a company with owner "<value>"
      Then the call is refused because of "owner"

      Examples:
        | value   |
        | nothing |
        | null    |

  @clause:company.create.owner-name
  Rule: An owner should have a name

    Scenario: owner.name as "nothing" is accepted with an advice
      When the partner registers a company with owner.name "nothing"
      Then the call is accepted with an advice about "owner.name"

    @needs:control
    Scenario: A strict integration refuses owner.name as "nothing"
      Given a strict integration
      When the partner registers a company with owner.name "nothing"
      Then the call is refused because of "owner.name"

  @clause:company.create.owner-email
  Rule: An owner's e-mail address is valid

    Scenario Outline: owner.emailAddress as "<value>" is refused
      When the partner registers a company with owner.emailAddress "<value>"
      Then the call is refused because of "owner.emailAddress"

      Examples:
        | value         |
        | nothing       |
        | maria         |
        | maria@example |

  @clause:company.create.owner-email-unique
  Rule: An owner's e-mail address is not an employee's

    Scenario Outline: owner.emailAddress as "<value>" is refused
      When the partner registers a company with owner.emailAddress "<value>"
      Then the call is refused because of "owner.emailAddress"

      Examples:
        | value                     |
        | sam.whitfield@example.com |
        | SAM.whitfield@example.com |

  @clause:company.create.owner-contact-number
  Rule: An owner's contact number is a valid phone number

    Scenario Outline: owner.contactNumber as "<value>" is refused
      When the partner registers a company with owner.contactNumber "<value>"
      Then the call is refused because of "owner.contactNumber"

      Examples:
        | value        |
        | nothing      |
        | 555          |
        | not a number |

  @clause:company.create.owner-ssn
  Rule: An owner's ssn is exactly four digits

    Scenario Outline: owner.ssn as "<value>" is refused
      When the partner registers a company with owner.ssn "<value>"
      Then the call is refused because of "owner.ssn"

      Examples:
        | value         |
        | nothing       |
        | 123           |
        | 12345         |
        | 12a4          |
        | 12 4          |
        | an empty text |

    Scenario Outline: owner.ssn as "<value>" is accepted
      When the partner registers a company with owner.ssn "<value>"
      Then the call succeeds

      Examples:
        | value |
        | 0000  |
        | 0001  |
        | 9999  |

  @clause:company.create.owner-date-of-birth
  Rule: An owner's date of birth is a day of the calendar

    Scenario Outline: owner.dateOfBirth as "<value>" is refused
      When the partner registers a company with owner.dateOfBirth "<value>"
      Then the call is refused because of "owner.dateOfBirth"

      Examples:
        | value                |
        | 12.04.1979           |
        | 1979-4-12            |
        | 1979-02-29           |
        | 1979-13-01           |
        | 2026-02-30           |
        | 1979-04-12T00:00:00Z |

    Scenario Outline: owner.dateOfBirth as "<value>" is accepted
      When the partner registers a company with owner.dateOfBirth "<value>"
      Then the call succeeds

      Examples:
        | value      |
        | 1979-04-12 |
        | 1980-02-29 |

  @clause:company.create.owner-date-of-birth-required
  Rule: An owner should have a date of birth

    Scenario: owner.dateOfBirth as "nothing" is accepted with an advice
      When the partner registers a company with owner.dateOfBirth "nothing"
      Then the call is accepted with an advice about "owner.dateOfBirth"

    @needs:control
    Scenario: A strict integration refuses owner.dateOfBirth as "nothing"
      Given a strict integration
      When the partner registers a company with owner.dateOfBirth "nothing"
      Then the call is refused because of "owner.dateOfBirth"

  @clause:company.create.owner.street
  Rule: An owner should have a street

    Scenario: owner.streetNumberAndName as "nothing" is accepted with an advice
      When the partner registers a company with owner.streetNumberAndName "nothing"
      Then the call is accepted with an advice about "owner.streetNumberAndName"

    @needs:control
    Scenario: A strict integration refuses owner.streetNumberAndName as "nothing"
      Given a strict integration
      When the partner registers a company with owner.streetNumberAndName "nothing"
      Then the call is refused because of "owner.streetNumberAndName"

  @clause:company.create.owner.city
  Rule: An owner should have a city

    Scenario: owner.city as "nothing" is accepted with an advice
      When the partner registers a company with owner.city "nothing"
      Then the call is accepted with an advice about "owner.city"

    @needs:control
    Scenario: A strict integration refuses owner.city as "nothing"
      Given a strict integration
      When the partner registers a company with owner.city "nothing"
      Then the call is refused because of "owner.city"

  @clause:company.create.owner.state
  Rule: An owner's state is a two-letter upper-case abbreviation

    Scenario Outline: owner.state as "<value>" is refused
      When the partner registers a company with owner.state "<value>"
      Then the call is refused because of "owner.state"

      Examples:
        | value   |
        | nothing |
        | ca      |
        | Calif   |

  @clause:company.create.owner.zip
  Rule: An owner's zip code is five digits with an optional hyphen

    Scenario Outline: owner.zipCode as "<value>" is refused
      When the partner registers a company with owner.zipCode "<value>"
      Then the call is refused because of "owner.zipCode"

      Examples:
        | value   |
        | nothing |
        | 9110    |
        | 91101-1 |

    Scenario Outline: owner.zipCode as "<value>" is accepted
      When the partner registers a company with owner.zipCode "<value>"
      Then the call succeeds

      Examples:
        | value      |
        | 91101-     |
        | 91101-1234 |

  @clause:company.create.owner-document
  Rule: An owner's document can be of any type

    Scenario Outline: owner.documentType as "<value>" needs no advice
      When the partner registers a company with owner.documentType "<value>"
      Then the call is accepted without advice

      Examples:
        | value         |
        | DriverLicense |
        | Passport      |
        | StateId       |
        | Library card  |
        | nothing       |

  @clause:company.create.employee-fields
  Rule: An employee has a name, an e-mail address, a contact number and a title

    Scenario Outline: employees[0].name as "<value>" is refused
      When the partner registers a company with employees[0].name "<value>"
      Then the call is refused because of "employees[0].name"

      Examples:
        | value         |
        | nothing       |
        | an empty text |

    Scenario: employees[0].emailAddress as "nothing" is refused
      When the partner registers a company with employees[0].emailAddress "nothing"
      Then the call is refused because of "employees[0].emailAddress"

    Scenario: employees[0].contactNumber as "nothing" is refused
      When the partner registers a company with employees[0].contactNumber "nothing"
      Then the call is refused because of "employees[0].contactNumber"

    Scenario Outline: employees[0].title as "<value>" is refused
      When the partner registers a company with employees[0].title "<value>"
      Then the call is refused because of "employees[0].title"

      Examples:
        | value   |
        | nothing |
        | null    |

  @clause:company.create.employee-email
  Rule: An employee's e-mail address is valid

    Scenario Outline: employees[0].emailAddress as "<value>" is refused
      When the partner registers a company with employees[0].emailAddress "<value>"
      Then the call is refused because of "employees[0].emailAddress"

      Examples:
        | value       |
        | sam         |
        | sam@example |

  @clause:company.create.employee-email-unique
  Rule: Employees have e-mail addresses of their own

    Scenario: employees[1].title as "Trainer" is refused
      When the partner registers a company with employees[1].title "Trainer"
      Then the call is refused because of "employees[1].emailAddress"

    Scenario: Two employees with two addresses
      When the partner registers a company with:
        | employees[1].emailAddress | kim@example.com |
      Then the call succeeds

  @clause:company.create.employee-contact-number
  Rule: An employee's contact number is a valid phone number

    Scenario Outline: employees[0].contactNumber as "<value>" is refused
      When the partner registers a company with employees[0].contactNumber "<value>"
      Then the call is refused because of "employees[0].contactNumber"

      Examples:
        | value |
        | 12    |
        | phone |

  @clause:company.list
  Rule: The list names every company of the integration with its id, name and reference

    Scenario: Nothing to list
      When the partner lists the companies
      Then the answer lists 0 companies

    Scenario: A company is listed as it was registered
      Given a company
      When the partner lists the companies
      Then the answer lists 1 companies
      And the answer's companies[0].id is "the company's id"
      And the answer's companies[0].name is "Hillside Fitness"
      And the answer's companies[0].referenceId is "the company's reference"

    Scenario: Two companies in the order of their registration
      Given a company
      And another company with name "Harbor Fitness"
      When the partner lists the companies
      Then the answer lists 2 companies
      And the answer's companies[1].id is "the other company's id"

  @clause:company.list.own
  Rule: The list never names another integration's companies

    @needs:control
    Scenario: Another partner sees nothing
      Given a company
      And another partner
      When the other partner lists the companies
      Then the answer lists 0 companies
