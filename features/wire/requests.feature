@area:wire
Feature: Requests on the wire

  @clause:request.media-type
  Rule: A body is JSON by its media type

    Scenario Outline: <type> is taken
      Given the header "Content-Type" is "<type>"
      When the client sends "POST /User/Register":
        """
        {"redirectUrl": "https://partner.example.com/back"}
        """
      Then the answer's registrationId is an id

      Examples:
        | type                            |
        | application/json                |
        | text/json                       |
        | application/vnd.partner.v1+json |
        | application/json; charset=utf-8 |
        | APPLICATION/JSON                |
      Scenario Outline: <type> is not
      Given the header "Content-Type" is "<type>"
      When the client sends "POST /User/Register":
        """
        {"redirectUrl": "https://partner.example.com/back"}
        """
      Then the service refuses it as an unsupported media type
      And the call cites the clause

      Examples:
        | type                              |
        | text/plain                        |
        | application/x-www-form-urlencoded |
        | application/xml                   |
        | application/+json                 |
        | application/json; charset=latin1  |
        | nonsense                          |
        |                                   |

    Scenario Outline: Its charset may be written as one likes: <type>
      Given the header "Content-Type" is "<type>"
      When the client sends "POST /User/Register":
        """
        {"redirectUrl": "https://partner.example.com/back"}
        """
      Then the answer's registrationId is an id

      Examples:
        | type                               |
        | application/json; charset=UTF-8    |
        | application/json;charset=Utf-8     |
        | text/json; charset=UTF-8           |
        | application/x+json; charset=utf-8  |

    @choice:error-body=problem-details
    Scenario: The refusal names the header
      Given the header "Content-Type" is "text/plain"
      When the client sends "POST /User/Register":
        """
        {"redirectUrl": "https://partner.example.com/back"}
        """
      Then the service refuses it as an unsupported media type
      And the refusal names exactly:
        | header:Content-Type |

  @clause:request.empty-body
  Rule: A body that is needed is there

    Scenario: No body at all
      When the client sends "POST /Company/Create"
      Then the service refuses it as invalid
      And the call cites the clause

  @clause:request.json
  Rule: A body is well-formed JSON in UTF-8

    Scenario Outline: <bytes>
      When the client sends "POST /User/Register" with the bytes "<bytes>"
      Then the service refuses it as invalid
      And the call cites the clause

      Examples:
        | bytes                                      |
        | {'redirectUrl':                            |
        | {'redirectUrl' 1}                          |
        | {'redirectUrl':'https://a.example.com/'} x |
        | {redirectUrl:1}                            |
        | {'redirectUrl':'https://a.example.com/','shortDescription':'one\0two three four'} |
        | {'redirectUrl':'https://a.example.com/','shortDescription':'one\ntwo three four'} |
        | {'amount':01}                              |
        | {'amount':+1}                              |
        | {'amount':-}                               |
        | {'amount':1.}                              |
        | {'amount':.5}                              |
        | {'amount':1e}                              |
        | {'amount':0x10}                            |
        | {'amount':1_000}                           |
        | {'amount':NaN}                             |

    @choice:error-body=problem-details
    Scenario Outline: Where a body is broken is told: <bytes>
      When the client sends "POST /User/Register" with the bytes "<bytes>"
      Then the service refuses it as invalid
      And the refusal speaks of "<place>"

      Examples:
        | bytes                             | place                            |
        | {'a':01}                          | byte offset 6, line 1, column 7  |
        | {\n\n  'redirectUrl' 1}           | byte offset 19, line 3, column 17 |
        | {'é':'ü', 'b':+1}                 | byte offset 16, line 1, column 15 |

    @choice:list-order=creation
    Scenario: What is escaped in a text is kept as what it stands for
      Given a company
      When the client sends "POST /Company/{company's reference}/Locations":
        """
        {"name": "Hill\u0073\\town", "streetNumberAndName": "410 Hill Street", "city": "Los Angeles", "zipCode": "90012", "state": "CA"}
        """
      And the partner lists the locations
      Then the answer's locations[1].name is "Hills\town"

  @clause:request.utf8
  Rule: A body is UTF-8 without a byte order mark

    Scenario Outline: <bytes>
      When the client sends "POST /User/Register" with the bytes "<bytes>"
      Then the service refuses it as invalid
      And the call cites the clause

      Examples:
        | bytes                                                |
        | {'redirectUrl':'\xff'}                               |
        | {'redirectUrl':'https://a.example.com/','shortDescription':'one\xfftwo three four'} |
        | {'redirectUrl':'https://a.example.com/','one\xfftwo three four':1} |
        | \xef\xbb\xbf{'redirectUrl':'https://a.example.com/'} |

    @choice:error-body=problem-details
    Scenario: Where it is broken is told
      When the client sends "POST /User/Register" with the bytes "{'a':1,\n'b':'x\xff'}"
      Then the service refuses it as invalid
      And the refusal speaks of "byte offset 14, line 2, column 7"

  @clause:request.object
  Rule: A body is an object

    Scenario Outline: <bytes>
      When the client sends "POST /User/Register" with the bytes "<bytes>"
      Then the service refuses it as invalid
      And the call cites the clause

      Examples:
        | bytes |
        | []    |
        | null  |
        | 'x'   |
        | 5     |

  @clause:request.type
  Rule: A member has the type that the specification gives it

    @choice:number-strings=refused
    Scenario Outline: <member> as <value>
      When the client sends "POST /Company/Create" with the bytes "{'<member>':<value>}"
      Then the service refuses it as invalid
      And the call cites the clause

      Examples:
        | member    | value |
        | name      | 5     |
        | zipCode   | 94610 |
        | owner     | []    |
        | employees | {}    |
        | name      | true  |
        | locations | 'x'   |

    @choice:number-strings=refused
    Scenario: An amount as a text
      Given a company
      And a payer
      When the partner requests a payment with amount "the text 5000"
      Then the call is refused because of "amount"

    @needs:control
    Scenario Outline: What is expected is told: <member>
      Given the clock starts at "2026-05-06T07:08:09Z"
      When the client sends "POST /Company/Create" with the bytes "{'<member>':<value>}"
      Then the service refuses it as invalid
      And the finding about "<member>" says "<expected>"

      Examples:
        | member    | value | expected            |
        | name      | 5     | a string            |
        | owner     | []    | an object           |
        | employees | {}    | an array of objects |
        | locations | 'x'   | an array of objects |

    @needs:control @choice:number-strings=refused
    Scenario Outline: What is expected of a payment is told: <member> as <value>
      Given the clock starts at "2026-05-06T07:08:09Z"
      When the client sends "POST /Payment/Create" with the bytes "{'<member>':<value>}"
      Then the service refuses it as invalid
      And the finding about "<member>" says "<expected>"

      Examples:
        | member         | value   | expected       |
        | amount         | 'x'     | a whole number |
        | amount         | null    | amount         |
        | amount         | []      | a whole number |
        | oneTimePayment | 1       | true or false  |
        | oneTimePayment | 'true'  | true or false  |
        | metadata       | 5       | an object      |
        | metadata       | []      | an object      |
        | reference      | {}      | a string       |
        | reference      | true    | a string       |
        | amount         | {'a':1} | a whole number |

    @needs:control
    Scenario Outline: A secret in the wrong place is not repeated: <body>
      When the client sends "POST /Company/Create" with the bytes "<body>"
      Then the answer never shows "1112223"
      And the tape never shows "1112223"

      Examples:
        | body                                                |
        | {'owner':{'ssn':['1112223']}}                       |
        | {'owner':{'ssn':{'a':'1112223'}}}                   |
        | {'owner':{'ssn':1112223}}                           |
        | {'x':{'clientSecret':'1112223'}}                    |
        | {'x':{'clientSecret':{'a':['1112223',{'b':true}]}}} |
        | {'x':[{'accessToken':1112223}]}                     |
        | {'clientSecret':['1112223']}                        |
        | {'owner':{'ssn':'1112223'                           |
        | {'owner':{'ssn':['1112223'                          |

  @clause:request.integer
  Rule: An amount is a whole number

    Scenario Outline: An amount of <value>
      When the client sends "POST /User/Register" with the bytes "{'redirectUrl':'https://a.example.com/','amount':<value>}"
      Then the service refuses it as invalid
      And the call cites the clause

      Examples:
        | value   |
        | 50.5    |
        | 1e-3    |
        | 5000.01 |
        | 5000.0  |
        | 5e3     |
        | 1e30    |

    Scenario Outline: An amount of <value> is taken
      When the client sends "POST /User/Register" with the bytes "{'redirectUrl':'https://a.example.com/','amount':<value>}"
      Then the answer's registrationId is an id

      Examples:
        | value |
        | 5000  |
        | 1     |

  @clause:request.integer-range
  Rule: A number fits its type

    Scenario Outline: An amount of <value>
      When the client sends "POST /User/Register" with the bytes "{'redirectUrl':'https://a.example.com/','amount':<value>}"
      Then the service refuses it as invalid
      And the call cites the clause

      Examples:
        | value                |
        | 9223372036854775808  |
        | -9223372036854775809 |

    @needs:control
    Scenario: A charge of 2^31 cents
      Given a company
      And a payer
      And a saved card "approved"
      When the partner charges the saved card with amount "2147483648"
      Then the call is refused because of "amount"

  @clause:request.integer-string
  Rule: A number that is sent as a text is taken, where it is, with an advice

    @needs:control
    Scenario: An amount as a text where texts are taken
      Given the service's choice of "number-strings" is "accepted"
      And a company
      And a payer
      When the partner requests a payment with amount "the text 5000"
      Then the call is accepted with an advice about "amount"

  @clause:request.duplicate-member
  Rule: A member stands in a body once

    @choice:request-names=any-case
    Scenario Outline: <bytes>
      When the client sends "POST /User/Register" with the bytes "<bytes>"
      Then the service refuses it as invalid
      And the call cites the clause

      Examples:
        | bytes                                                                           |
        | {'redirectUrl':'https://a.example.com/','redirectUrl':'https://b.example.com/'} |
        | {'redirectUrl':'https://a.example.com/','RedirectUrl':'https://b.example.com/'} |

    Scenario: A member that stands twice in what is free
      When the client sends "POST /Payment/Create" with the bytes "{'amount':5000,'metadata':{'a':1,'a':2}}"
      Then the service refuses it as invalid
      And the call cites the clause

  @clause:request.depth
  Rule: A body is not nested too deeply

    Scenario Outline: <n> lists in lists
      When the client sends "POST /Payment/Create" nested <n> deep
      Then the service refuses it as invalid
      And the call cites the clause

      Examples:
        | n     |
        | 20000 |
        | 64    |

    Scenario Outline: Wherever it is nested: <where>
      When the client sends "POST /Company/Create" with the bytes "<bytes>"
      Then the service refuses it as invalid
      And the call cites the clause

      Examples:
        | where              | bytes |
        | in the body            | {'x':[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]} |
        | in an object           | {'owner':{'x':[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]}} |
        | in an object of a list | {'employees':[{'x':[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]}]} |
        | in a list of objects   | {'locations':[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]} |

    @needs:control
    Scenario Outline: What is not yet too deep is judged by its rules: <where>
      Given the clock starts at "2026-05-06T07:08:09Z"
      When the client sends "POST /Company/Create" with the bytes "<bytes>"
      Then the service refuses it as invalid
      And the refusal speaks of "problems found"

      Examples:
        | where              | bytes |
        | in the body            | {'x':[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]} |
        | in an object           | {'owner':{'x':[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]}} |
        | in an object of a list | {'employees':[{'x':[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]}]} |

  @clause:request.array-length
  Rule: A list is not endless

    Scenario: Far too many employees
      When the client sends a company with 20000 empty employees
      Then the service refuses it as invalid
      And the call cites the clause

  @clause:request.more-findings
  Rule: A refusal with very many problems says that there are more

    Scenario: A thousand employees that are numbers
      When the client sends a company with 1000 numeric employees
      Then the service refuses it as invalid
      And the call cites the clause

  @clause:request.personal-data
  Rule: Card and social security numbers stand only in the members that are made for them

    Scenario Outline: A company that is called <name>
      When the partner registers a company with name "<name>"
      Then the call is accepted with an advice about "name"

      Examples:
        | name                    |
        | Gym 4111 1111 1111 1111 |
        | Gym 5500-0055-5555-5559 |
        | Gym of SSN 123-45-6789  |

    Scenario Outline: A company that is called <name>
      When the partner registers a company with name "<name>"
      Then the call is accepted without advice

      Examples:
        | name                    |
        | Gym 4111 1111 1111 1112 |
        | Gym 12025550123         |

    @needs:control
    Scenario Outline: What stands in a query, a path or a header is struck, too: <path>
      Given the header "X-Note" is "<note>"
      When the client sends "GET <path>"
      Then the tape never shows "4111111111111111"
      And the tape never shows "123-45-6789"

      Examples:
        | path                             | note                |
        | /Company/List?q=4111111111111111 |                     |
        | /Company/List?4111111111111111=q |                     |
        | /Company/4111111111111111/Status |                     |
        | /Company/x%204111111111111111/Status |                 |
        | /Company/List                    | 4111111111111111    |
        | /Company/List                    | SSN 123-45-6789     |

    @needs:control
    Scenario Outline: Where a caller comes from is kept without what it was asked: <referer>
      Given the header "Referer" is "<referer>"
      When the client sends "GET /Company/List"
      Then the tape never shows "aWord77"

      Examples:
        | referer                                        |
        | https://shop.example.com/pay?code=aWord77      |
        | https://shop.example.com/pay?a=aWord77&aWord77 |
        | https://shop.example.com/pay?%zz=aWord77       |
        | https://shop.example.com/pay#aWord77           |

  @clause:request.unknown-member
  Rule: A member that nobody knows should not be sent

    Scenario: A misspelt member
      When the partner registers a company with websiteURI "https://x.example.com"
      Then the call is accepted with an advice about "websiteURI"

    @needs:control
    Scenario: A strict integration refuses it
      Given a strict integration
      When the partner registers a company with websiteURI "https://x.example.com"
      Then the call is refused because of "websiteURI"

    Scenario: What no header can hold is told with a question mark
      When the client sends "POST /User/Register":
        """
        {"redirectUrl": "https://partner.example.com/back", "a,b": 1, "né": 2}
        """
      Then the answer's header "Sandbox-Warning" is "request.unknown-member /a?b, request.unknown-member /n?"

    Scenario Outline: A query name that nobody knows: <call>
      Given a company
      When the client sends "<call>"
      Then the call is accepted with an advice about "query:<name>"

      Examples:
        | call                             | name    |
        | GET /Company/List?page=2         | page    |
        | GET /Transaction/Report?colour=x | colour  |

    Scenario: The nearest query name is told
      When the client sends "GET /Transaction/Report?stat=x"
      Then the answer's header "Sandbox-Warning" is "request.unknown-member query:stat (nearest: status)"

    Scenario Outline: A query name that is known: <call>
      Given a company
      When the client sends "<call>"
      Then the call is accepted without advice

      Examples:
        | call                                     |
        | GET /Transaction/Report?status=Completed      |
        | GET /Transaction/Report?STATUS=Completed      |

    @needs:control
    Scenario Outline: The nearest name is told: <member>
      Given a strict integration
      When the partner registers a company with <member> "x"
      Then the call is refused because of "<member>"
      And the finding about "<member>" says "<nearest>"

      Examples:
        | member       | nearest       |
        | websiteURI   | websiteUrl    |
        | emailAdress  | emailAddress  |
        | contactNumbr | contactNumber |

    @needs:control
    Scenario Outline: The nearest name by a part of it: <member>
      Given a strict integration
      When the partner registers a company with <member> "x"
      Then the call is refused because of "<member>"
      And the finding about "<member>" says "<nearest>"

      Examples:
        | member    | nearest      |
        | website   | websiteUrl   |
        | apartment | apartmentNumber |
        | email     | emailAddress |

  @clause:request.body
  Rule: A body is as long as it is announced to be

    Scenario: A body that ends too early
      When the client sends half of a body to "/Company/Create"
      Then the service refuses it as invalid
      And the call cites the clause

    @choice:error-body=problem-details
    Scenario: The refusal says how much of it came
      When the client sends half of a body to "/Company/Create"
      Then the refusal shows "8 bytes" as what was received for "$"
      And the refusal speaks of "the body ended before it was complete"

  @clause:request.size
  Rule: A body is at most 10 MiB

    Scenario: One byte too many
      When the client sends "POST /Payment/Create" with 10485761 bytes
      Then the service refuses it as too large
      And the call cites the clause

    @choice:error-body=problem-details
    Scenario: The refusal says how large it was, and how large it may be
      When the client sends "POST /Payment/Create" with 10485761 bytes
      Then the refusal shows "10485761 bytes" as what was received for "$"
      And the finding about "$" says "at most 10485760 bytes"
      And the refusal speaks of "the body is larger than 10 MiB"

  @clause:wire.request-names
  Rule: Names of members are matched in any letter case

    Scenario Outline: <name>
      When the client sends "POST /User/Register" with the bytes "{'<name>':'https://a.example.com/'}"
      Then the answer's registrationId is an id

      Examples:
        | name        |
        | redirectUrl |
        | RedirectUrl |
        | redirecturl |
        | REDIRECTURL |

    Scenario Outline: A wrong value of <name>
      When the client sends "POST /User/Register" with the bytes "{'<name>':'no address'}"
      Then the service refuses it as invalid

      Examples:
        | name        |
        | redirectUrl |
        | RedirectUrl |
        | REDIRECTURL |

  @clause:wire.paths
  Rule: Paths are found in any letter case, with or without a slash at the end

    Scenario Outline: <path>
      Given a company
      When the client sends "GET <path>"
      Then one of the answer's companies has referenceId "the company's reference"

      Examples:
        | path           |
        | /Company/List  |
        | /company/list  |
        | /COMPANY/LIST  |
        | /Company/List/ |

    Scenario Outline: <path>
      Given a company
      When the client sends "GET <path>"
      Then the answer's status is "Verified"

      Examples:
        | path                                   |
        | /company/{company's reference}/status  |
        | /Company/{company's reference}/Status/ |

    Scenario: A reference keeps its letter case
      Given a company
      When the client sends "GET /Company/LOC-001/Status"
      Then the service refuses it as unknown

    @needs:control
    Scenario: A page of one company does not show another's payment
      Given a payment that is "Paid"
      And the company looks at the payment in its back office
      And another company
      And the partner requests a payment with:
        | locationId | nothing                |
        | companyId  | the other company's id |
      When the client sends "GET {back office}/payments/{payment}"
      Then the answer has the status 404

    @needs:control
    Scenario Outline: A page has its methods: <method>
      Given a company
      And a payer
      And the payer opens the registration page
      When the client sends "<method> {registration page}"
      Then the answer has the status <status>
      And the answer's header "Allow" is "<allow>"

      Examples:
        | method | status | allow           |
        | DELETE | 405    | GET, HEAD, POST |
        | PUT    | 405    | GET, HEAD, POST |
        | HEAD   | 200    |                 |

    @needs:control
    Scenario Outline: The back office is listed from a payment that it has: <before>
      Given a payment that is "Paid"
      And the company looks at the payment in its back office
      And another payment request
      When the client sends "GET {back office}?before=<before>"
      Then the answer has the status <status>

      Examples:
        | before    | status |
        | {payment} | 200    |
        | {unknown} | 404    |
        | soon      | 404    |

    @needs:control
    Scenario Outline: What is escaped in a path is what it stands for: <reference>
      Given the clock starts at "2026-05-06T07:08:09Z"
      And a company with companyReferenceId "<reference>"
      When the client sends "GET /Company/<escaped>/Status"
      Then the answer's status is "Verified"

      Examples:
        | reference  | escaped        |
        | gym/7      | gym%2F7        |
        | gym 7      | gym%207        |
        | gym%7      | gym%257        |
        | gym?7      | gym%3F7        |
        | gym+7      | gym+7          |
        | fürth      | f%C3%BCrth     |

    @needs:control
    Scenario Outline: What there is not has no page: <path>
      Given a payment that is "Paid"
      And the company looks at the payment in its back office
      When the client sends "GET <path>"
      Then the answer has the status 404

      Examples:
        | path                                                       |
        | {back office}/payments/{unknown}                           |
        | {back office}/payments/{unknown}/attachments/{unknown}     |
        | {back office}/payments/{payment}/attachments/{unknown}     |
        | {back office}/payments/{payment}/attachments/x             |
        | {back office}x                                             |
        | /pages/nobody/pay/{unknown}                                |
        | /pages/nobody                                              |
        | /pages/                                                    |

    @needs:control
    Scenario: The file of one payment is not shown with another
      Given a payment that is "Paid" with:
        | attachment | a PDF |
      And the company looks at the payment in its back office
      And the company follows "attachment"
      When the client sends "POST {back office}/payments/{unknown}":
        """
        amount=1
        """
      Then the answer has the status 404

  @clause:wire.head
  Rule: What can be read can be asked for without its body

    Scenario: The head of a list
      Given a company
      When the client sends "HEAD /Company/List"
      Then the call succeeds
      And the answer is empty

    Scenario: The head of what is not there
      When the client sends "HEAD /Company/nobody/Status"
      Then the service refuses it as unknown
