@area:companies
Feature: A company may have employees

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
      Given the partner registers a company with:
        | employees[1].emailAddress | kim@example.com |
      When the partner lists the companies
      Then one of the answer's companies has referenceId "the company's reference"

  @clause:company.create.employee-contact-number
  Rule: An employee's contact number is a valid phone number

    Scenario Outline: employees[0].contactNumber as "<value>" is refused
      When the partner registers a company with employees[0].contactNumber "<value>"
      Then the call is refused because of "employees[0].contactNumber"

      Examples:
        | value |
        | 12    |
        | phone |
