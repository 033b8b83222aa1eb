@area:companies
Feature: A partner adds locations and connects a company's bank

  @clause:location.add
  Rule: A location is added by the company's reference or its id

    Scenario: By the reference
      Given a company
      When the partner adds a location
      Then the answer's locationId is an id

    @choice:company-path-ref=either
    Scenario: By the id
      Given a company
      When the partner adds a location by the company's id
      Then the answer's locationId is an id

    Scenario: Each has its own id
      Given a company
      And the partner adds a location
      When the partner adds a location
      Then the answers differ in locationId

    Scenario: It is in the company's list
      Given a company
      And the partner adds a location
      When the partner lists the locations
      Then one of the answer's locations has id "the location's id"

  @clause:location.name
  Rule: A location should have a name

    Scenario: name as "nothing" is accepted with an advice
      Given a company
      When the partner adds a location with name "nothing"
      Then the call is accepted with an advice about "name"

    @needs:control
    Scenario: A strict integration refuses name as "nothing"
      Given a strict integration
      And a company
      When the partner adds a location with name "nothing"
      Then the call is refused because of "name"

  @clause:location.street
  Rule: A location should have a street

    Scenario: streetNumberAndName as "nothing" is accepted with an advice
      Given a company
      When the partner adds a location with streetNumberAndName "nothing"
      Then the call is accepted with an advice about "streetNumberAndName"

    @needs:control
    Scenario: A strict integration refuses streetNumberAndName as "nothing"
      Given a strict integration
      And a company
      When the partner adds a location with streetNumberAndName "nothing"
      Then the call is refused because of "streetNumberAndName"

  @clause:location.city
  Rule: A location should have a city

    Scenario: city as "nothing" is accepted with an advice
      Given a company
      When the partner adds a location with city "nothing"
      Then the call is accepted with an advice about "city"

    @needs:control
    Scenario: A strict integration refuses city as "nothing"
      Given a strict integration
      And a company
      When the partner adds a location with city "nothing"
      Then the call is refused because of "city"

  @clause:location.state
  Rule: A location's state is a two-letter upper-case abbreviation

    Scenario Outline: state as "<value>" is refused
      Given a company
      When the partner adds a location with state "<value>"
      Then the call is refused because of "state"

      Examples:
        | value   |
        | nothing |
        | ca      |
        | Cal     |

    Scenario: locations[0].state as "ca" is refused
      When the partner registers a company with locations[0].state "ca"
      Then the call is refused because of "locations[0].state"

  @clause:location.zip
  Rule: A location's zip code is five digits with an optional hyphen

    Scenario Outline: zipCode as "<value>" is refused
      Given a company
      When the partner adds a location with zipCode "<value>"
      Then the call is refused because of "zipCode"

      Examples:
        | value    |
        | nothing  |
        | 9073     |
        | 90731-12 |

    Scenario: locations[0].zipCode as "9" is refused
      When the partner registers a company with locations[0].zipCode "9"
      Then the call is refused because of "locations[0].zipCode"

    @choice:list-order=creation @choice:zip=optional-hyphen
    Scenario Outline: zipCode as "<value>" is accepted
      Given a company
      And the partner adds a location with zipCode "<value>"
      When the partner lists the locations
      Then the answer's locations[1].address.zipCode is "<value>"

      Examples:
        | value      |
        | 90731      |
        | 90731-     |
        | 90731-1234 |

  @clause:location.list
  Rule: The list shows every location with its id, name and address

    @choice:list-order=creation
    Scenario: The locations of the registration and those added later
      Given a company
      And the partner adds a location
      When the partner lists the locations
      Then the answer lists 2 locations
      And the answer's locations[0].name is "Hillside Downtown"
      And the answer's locations[1].id is "the location's id"
      And the answer's locations[1].address.city is "San Pedro"

    @choice:company-path-ref=either
    Scenario: By the company's id
      Given a company
      When the partner lists the locations by the company's id
      Then the answer lists 1 locations

  @clause:location.address
  Rule: A location's address has street, apartment, city, zip code, state and country

    Scenario: Six members
      Given a company
      When the partner lists the locations
      Then every entry of locations has exactly the members:
        | id      | id     |
        | name    | text   |
        | address | object |
      And the answer's locations[0].address.streetNumberAndName is "410 Hill Street"
      And the answer's locations[0].address.apartmentNumber is "Suite 12"
      And the answer's locations[0].address.zipCode is "90012"
      And the answer's locations[0].address.state is "CA"

    @needs:control
    Scenario: What the sandbox shows of a location
      Given a company
      When the partner adds a location
      Then the sandbox shows "the location" as:
        """
        {"kind":"location","id":"{location}","machine":"","status":"","summary":"Hillside Harbor","amount":null,"created":null,"changed":null,"relations":[{"relation":"company","kind":"company","id":"{company}"}],
        "console":"/console/{integration}/entities/{location}","facts":[{"name":"name","value":"Hillside Harbor"},
        {"name":"streetNumberAndName","value":"88 Harbor Avenue"},{"name":"zipCode","value":"90731"},{"name":"city","value":"San Pedro"},
        {"name":"state","value":"CA"}],"page":null,"visited":[],"moves":[],
        "related":[{"kind":"company","id":"{company}","machine":"company","status":"Verified","summary":"Hillside Fitness","amount":null,"created":"2026-03-02T17:00:00Z","changed":"2026-03-02T17:00:00Z","relations":[],
        "console":"/console/{integration}/entities/{company}"}],"deliveries":[],"messages":[],"entries":[],"omitted":0,"gap":null}
        """

  @clause:location.country
  Rule: Every address lies in the United States

    Scenario: The country of a location
      Given a company
      When the partner lists the locations
      Then the answer's locations[0].address.country is "US"

    @needs:control @choice:rate-limit=none
    Scenario: All locations are there when the sandbox goes back
      Given a company
      And the partner adds a location
      And the partner adds a location with name "Hillside North"
      And the sandbox is saved
      And the sandbox goes back to what was saved
      When the partner lists the locations
      Then the answer lists 3 locations
