@area:consents
Feature: Payers consent to plans

  @clause:consent.machine @surface:provisional
  Rule: A consent is accepted or declined, and an accepted one can be revoked

    @needs:control
    Scenario Outline: <event> of a <from> consent
      Given a consent that is "<from>"
      When "<event>" happens to the consent
      Then the consent is "<to>"

      Examples:
        | from     | event   | to       |
        | Pending  | accept  | Accepted |
        | Pending  | decline | Declined |
        | Accepted | decline | Revoked  |

    @needs:control
    Scenario Outline: No <event> of a <from> consent
      Given a consent that is "<from>"
      When "<event>" is tried on the consent
      Then the move is refused
      And the consent is "<from>"

      Examples:
        | from     | event   |
        | Accepted | accept  |
        | Declined | accept  |
        | Declined | decline |
        | Revoked  | accept  |
        | Revoked  | decline |

    @needs:control @choice:account-mask=asterisk
    Scenario: The payer reads what the plan is
      Given a consent that is "Pending"
      When the payer opens the link of the message "consent-request"
      Then the page says "Agree to a payment plan of Hillside Fitness"
      And the page's amount is "$50.00"
      And the page's start is "January 31, 2030"
      And the page's end is "it is canceled"
      And the page's account-mask is "*1111"
      And the page is, with all that it can send:
        """
        Agree to a payment plan of Hillside Fitness $50.00 every month You agree that each payment is collected on its day without asking
        you again, as long as the plan goes on. Company Hillside Fitness Amount $50.00 every month First payment January 31, 2030 Until it
        is canceled For Monthly membership Bank account *1111 Phone +12135550100 E-mail office@hillside-fitness.example.com Website
        https://hillside-fitness.example.com Address 410 Hill Street, Suite 12, Los Angeles, CA 90012 [form
        action=/pages/{opaque}/consent/{opaque}] [input type=hidden name=csrf value={opaque}] [button name=answer value=accept] Accept
        [button name=answer value=decline] Decline
        """

    @needs:control
    Scenario: The payer reads how to reach the company
      Given a consent that is "Pending"
      When the payer opens the link of the message "consent-request"
      Then the page's company-email is "office@hillside-fitness.example.com"
      And the page's company-phone is "+12135550100"
      And the page's company-website is "https://hillside-fitness.example.com"
      And the page's company-address is "410 Hill Street, Suite 12, Los Angeles, CA 90012"

    @needs:control
    Scenario Outline: How long the plan goes on: <part>
      Given a company
      And a plan with <member> "<value>"
      And a consent that is "Pending"
      When the payer opens the link of the message "consent-request"
      Then the page's <part> is "<told>"
      And the page says "<label> <told>"
      And the page's purpose is "Monthly membership"
      And the page does not say "it is canceled"

      Examples:
        | member      | value      | part        | told              | label              |
        | occurrences | 3          | occurrences | 3                 | Number of payments |
        | endDate     | 2030-12-31 | end         | December 31, 2030 | Until              |

    @needs:control
    Scenario Outline: The payer answers on the page: <answer>
      Given a consent that is "<from>"
      And the payer opens the link of the message "consent-request"
      When the payer answers the page with:
        | answer | <answer> |
      Then the consent is "<to>"
      And the page says "<told>"

      Examples:
        | from     | answer   | to       | told                           |
        | Pending  | accept   | Accepted | You take part in this plan.    |
        | Pending  | decline  | Declined | You do not take part in this plan. Nothing is collected. |
        | Accepted | withdraw | Revoked  | Nothing further is collected.  |

    @needs:control
    Scenario Outline: An answer that is none: <answer>
      Given a consent that is "<from>"
      And the payer opens the link of the message "consent-request"
      When the payer answers the page with:
        | answer | <answer> |
      Then the page answers with the status <status>
      And the consent is "<from>"

      Examples:
        | from     | answer   | status |
        | Pending  | withdraw | 409    |
        | Accepted | decline  | 409    |
        | Pending  | perhaps  | 400    |

    @needs:control @choice:account-mask=asterisk
    Scenario: Nothing is asked when the plan is over
      Given a consent that is "Pending"
      And "cancel" happens to the plan
      When the payer opens the link of the message "consent-request"
      Then the page says "There is nothing to agree to any more. Nothing is collected."
      And the page is, with all that it can send:
        """
        This plan has ended Pending There is nothing to agree to any more. Nothing is collected. Company Hillside Fitness Amount $50.00
        every month First payment January 31, 2030 Until it is canceled For Monthly membership Bank account *1111 Phone +12135550100
        E-mail office@hillside-fitness.example.com Website https://hillside-fitness.example.com Address 410 Hill Street, Suite 12, Los
        Angeles, CA 90012
        """

    @needs:control
    Scenario: What the message says
      Given a company
      And a registered payer
      And a plan with intervalValue "2"
      When the partner adds the payer to the plan
      Then the message "consent-request" gives the company as "Hillside Fitness"
      And the message "consent-request" gives the amount as "$50.00"
      And the message "consent-request" gives the purpose as "Monthly membership"
      And the message "consent-request" gives the interval as "every 2 months"

    @needs:control
    Scenario: The description of a plan goes before its name
      Given a company
      And a registered payer
      And a plan with shortDescription "Gold class"
      When the partner adds the payer to the plan
      Then the message "consent-request" gives the purpose as "Gold class"

    @needs:control
    Scenario: Nobody accepts the consent to a plan that was canceled
      Given a consent that is "Pending"
      And the partner cancels the plan
      When "accept" is tried on the consent
      Then the move is refused

  @clause:consent.decline.pending @surface:provisional
  Rule: A Pending consent that is declined is Declined

    @needs:control
    Scenario: By the partner's call
      Given a consent that is "Pending"
      When the partner declines the consent
      Then the answer is empty
      And the consent is "Declined"

  @clause:consent.decline.accepted @surface:provisional
  Rule: An Accepted consent that is declined is Revoked

    @needs:control
    Scenario: By the partner's call
      Given a consent that is "Accepted"
      When the partner declines the consent
      Then the consent is "Revoked"

  @clause:consent.decline.refused @surface:provisional
  Rule: A consent that is Declined or Revoked stays so

    @needs:control
    Scenario Outline: A <status> consent
      Given a consent that is "<status>"
      When the partner declines the consent
      Then the service refuses it as invalid
      And the consent is "<status>"

      Examples:
        | status   |
        | Declined |
        | Revoked  |

  @clause:consent.list @surface:provisional
  Rule: The list shows the consents that are Pending or Accepted, with their status

    @needs:control
    Scenario Outline: A <status> consent is listed
      Given a consent that is "<status>"
      When the partner lists the consents
      Then the answer lists 1 consents
      And the answer's consents[0].status is "<status>"

      Examples:
        | status   |
        | Pending  |
        | Accepted |

    @needs:control
    Scenario Outline: A <status> consent is not listed
      Given a consent that is "<status>"
      When the partner lists the consents
      Then the answer lists 0 consents

      Examples:
        | status   |
        | Declined |
        | Revoked  |

    @needs:control
    Scenario: The consents of one plan
      Given a consent that is "Pending"
      And another plan
      When the partner lists the consents with planId "the other plan's id"
      Then the answer lists 0 consents
      And the call is accepted without advice

    @needs:control
    Scenario: The consents of one payer
      Given a consent that is "Pending"
      When the partner lists the consents with registrationId "the payer's id"
      Then the answer lists 1 consents
      And the call is accepted without advice

    @needs:control @choice:kyb-sandbox=event
    Scenario: What the sandbox shows of a consent
      Given a consent that is "Accepted"
      When the partner lists the consents
      Then the sandbox shows "the consent" as:
        """
        {"kind":"consent","id":"{consent}","machine":"consent","status":"Accepted","summary":"of pat.lindgren@example.com","amount":null,"created":"2026-03-02T17:00:00Z","changed":"2026-03-02T17:00:00Z","relations":[{"relation":"plan","kind":"plan","id":"{plan}"},
        {"relation":"payer","kind":"registration","id":"{payer}"}],
        "console":"/console/{integration}/entities/{consent}","facts":[{"name":"failuresInARow","value":"0"}],
        "page":"{service}/pages/{integration}/consent/{consent}","visited":[{"seq":16,"cause":15,"at":"2026-03-02T17:00:00Z","event":"create","from":"","to":"Pending","reason":""},
        {"seq":20,"cause":19,"at":"2026-03-02T17:00:00Z","event":"accept","from":"Pending","to":"Accepted","reason":"the payer accepted"}],
        "moves":[{"event":"decline","to":"Revoked","method":"POST","path":"/_sandbox/integrations/{integration}/consents/{consent}/decline","body":""}],
        "related":[{"kind":"plan","id":"{plan}","machine":"plan","status":"Draft","summary":"$50.00 every month: Monthly membership","amount":5000,"created":"2026-03-02T17:00:00Z","changed":"2026-03-02T17:00:00Z","relations":[{"relation":"company","kind":"company","id":"{company}"}],
        "console":"/console/{integration}/entities/{plan}"},
        {"kind":"registration","id":"{payer}","machine":"registration","status":"Registered","summary":"pat.lindgren@example.com","amount":null,"created":"2026-03-02T17:00:00Z","changed":"2026-03-02T17:00:00Z","relations":[],
        "console":"/console/{integration}/entities/{payer}"}],"deliveries":[],
        "messages":[{"seq":17,"at":"2026-03-02T17:00:00Z","channel":"sms","to":"+12025550123","template":"consent-request","entity":"{consent}","subject":"","text":"Hillside Fitness asks for your consent to recurring payments of $50.00 every month for: Monthly membership.\n\nAccept or decline:\n{service}/pages/{integration}/consent/{consent}\n","html":"","links":["{service}/pages/{integration}/consent/{consent}"],
        "codes":[],"bounced":false},
        {"seq":18,"at":"2026-03-02T17:00:00Z","channel":"email","to":"pat.lindgren@example.com","template":"consent-request","entity":"{consent}","subject":"Hillside Fitness asks for your consent","text":"Hillside Fitness asks for your consent to recurring payments of $50.00 every month for: Monthly membership.\n\nAccept or decline:\n{service}/pages/{integration}/consent/{consent}\n","html":"<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>Hillside Fitness asks for your consent</title></head>\n<body>\n<p>Hillside Fitness asks for your consent to recurring payments of $50.00 every month for: Monthly membership.</p>\n<p><a href=\"{service}/pages/{integration}/consent/{consent}\">Accept or decline</a></p><p>This is a message of a test system. No money moves.</p>\n</body>\n</html>\n","links":["{service}/pages/{integration}/consent/{consent}"],
        "codes":[],"bounced":false}],"entries":[15,16,17,18,19,20],"omitted":0,"gap":null}
        """

    @needs:control
    Scenario Outline: A list of what is not there: <what>
      Given a consent that is "Pending"
      When the partner lists the consents with <what> "an unknown id"
      Then the service refuses it as unknown

      Examples:
        | what           |
        | planId         |
        | registrationId |

    @needs:control
    Scenario Outline: Of one plan, one payer, or both: <what>
      Given a consent that is "Pending"
      And another registered payer
      And the partner adds the payer to the plan with registrationId "the other payer's id"
      When the partner lists the consents with:
        | planId         | <plan>  |
        | registrationId | <payer> |
      Then the answer lists <n> consents

      Examples:
        | what | plan          | payer          | n |
        | plan | the plan's id | nothing        | 2 |
        | payer | nothing       | the payer's id | 1 |
        | both | the plan's id | the payer's id | 1 |

  @clause:consent.read @surface:provisional
  Rule: A consent is read with the plan's terms and the recipient company

    @needs:control
    Scenario: The recipient company
      Given a consent that is "Pending"
      When the partner reads the consent
      Then the answer's recipientCompany.name is "Hillside Fitness"
      And the answer's recipientCompany.contactNumber is "+12135550100"
      And the answer's recipientCompany.emailAddress is "office@hillside-fitness.example.com"
      And the answer's recipientCompany.websiteUrl is "https://hillside-fitness.example.com"
      And the answer's recipientCompany.address.city is "Los Angeles"
      And the answer's plan.amount is "5000"

  @clause:consent.unknown @surface:provisional
  Rule: A consent that the integration does not have is unknown

    Scenario: No such consent
      Given a company
      When the partner reads an unknown consent
      Then the service refuses it as unknown

    @needs:control
    Scenario Outline: The other partner <deed>
      Given a consent that is "Pending"
      And another partner
      When the other partner <deed>
      Then the service refuses it as unknown

      Examples:
        | deed                 |
        | reads the consent    |
        | declines the consent |
