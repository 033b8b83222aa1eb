@area:companies
Feature: A company connects its bank

  @clause:company.link
  Rule: A link with which a company connects its bank is answered

    Scenario: By the reference
      Given a company
      When the partner asks for a bank link
      Then the answer's externalAuthLinkUrl is a web address

    @choice:company-path-ref=either
    Scenario: By the id
      Given a company
      When the partner asks for a bank link by the company's id
      Then the answer's externalAuthLinkUrl is a web address

    Scenario: Two companies have two links
      Given a company
      And another company
      And the partner asks for a bank link
      When the partner asks for the other company's bank link
      Then the answers differ in externalAuthLinkUrl

  @clause:company.link.once
  Rule: Each bank link is a new one

    Scenario: Two links differ
      Given a company
      And the partner asks for a bank link
      When the partner asks for a bank link
      Then the answers differ in externalAuthLinkUrl

  @clause:company.link.mobile-number
  Rule: The mobile number for a bank link is E.164 with at most 15 digits

    Scenario Outline: mobileNumber as "<value>" is refused
      Given a company
      When the partner asks for a bank link with mobileNumber "<value>"
      Then the call is refused because of "mobileNumber"

      Examples:
        | value             |
        | nothing           |
        | 2135550101        |
        | +0135550101       |
        | +1 213 555 0101   |
        | +1234567890123456 |
        | an empty text     |

    @needs:control
    Scenario Outline: mobileNumber as "<value>" is accepted
      Given a company
      When the partner asks for a bank link with mobileNumber "<value>"
      Then the message "bank-link" goes out by sms to "<value>"

      Examples:
        | value         |
        | +12135550101  |
        | +442079460958 |
