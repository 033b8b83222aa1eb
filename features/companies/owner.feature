@area:companies
Feature: A company has an owner

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
      Given the partner registers a company with owner.ssn "<value>"
      When the partner lists the companies
      Then one of the answer's companies has referenceId "the company's reference"

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
      Given the partner registers a company with owner.dateOfBirth "<value>"
      When the partner lists the companies
      Then one of the answer's companies has referenceId "the company's reference"

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

    @choice:zip=optional-hyphen
    Scenario Outline: owner.zipCode as "<value>" is accepted
      Given the partner registers a company with owner.zipCode "<value>"
      When the partner lists the companies
      Then one of the answer's companies has referenceId "the company's reference"

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

    Scenario: A company without it is listed
      Given the partner registers a company with owner.documentNumber "nothing"
      When the partner lists the companies
      Then one of the answer's companies has referenceId "the company's reference"
