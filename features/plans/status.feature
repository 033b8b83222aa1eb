@area:plans
Feature: A plan is activated, paused and cancelled

  @clause:plan.activate.consent @surface:provisional
  Rule: A plan is activated when a payer has accepted

    @needs:control
    Scenario: Nobody has accepted
      Given a consent that is "Pending"
      When the partner activates the plan
      Then the call is refused because of "path:planId"

    @needs:control
    Scenario: A payer has accepted
      Given a consent that is "Accepted"
      When the partner activates the plan
      Then the answer is empty
      And the plan is "Active"

  @clause:plan.status.machine @surface:provisional
  Rule: A plan moves along the published states

    @needs:control
    Scenario Outline: <event> of a <from> plan
      Given a plan that is "<from>"
      When "<event>" happens to the plan
      Then the plan is "<to>"

      Examples:
        | from   | event    | to        |
        | Draft  | activate | Active    |
        | Draft  | cancel   | Canceled  |
        | Active | draft    | Draft     |
        | Active | pause    | Paused    |
        | Active | fail     | Failed    |
        | Active | cancel   | Canceled  |
        | Active | complete | Completed |
        | Paused | activate | Active    |
        | Paused | cancel   | Canceled  |
        | Failed | activate | Active    |
        | Failed | cancel   | Canceled  |

    @needs:control
    Scenario Outline: No <event> of a <from> plan
      Given a plan that is "<from>"
      When "<event>" is tried on the plan
      Then the move is refused
      And the plan is "<from>"

      Examples:
        | from      | event    |
        | Draft     | pause    |
        | Draft     | complete |
        | Active    | activate |
        | Paused    | pause    |
        | Paused    | complete |
        | Failed    | pause    |
        | Canceled  | activate |
        | Canceled  | cancel   |
        | Completed | activate |
        | Completed | cancel   |

    @needs:control @choice:rate-limit=none
    Scenario: A plan goes on where it was when the sandbox goes back
      Given a plan that is "Active"
      And the sandbox is saved
      And "pause" happens to the plan
      And the sandbox goes back to what was saved
      When the partner pauses the plan
      Then the plan is "Paused"
      And the consent is "Accepted"

    @needs:control @choice:rate-limit=none
    Scenario: What becomes of a plan is the same when the sandbox goes back
      Given a plan that is "Active" with:
        | startDate | 2026-04-10 |
      And the sandbox is saved in a file
      And 70 days pass
      And the partner pauses the plan
      And 40 days pass
      When the partner asks for the transaction report
      Then the answer lists 2 transactions
      And the sandbox goes back and the same is done again

    @needs:control @choice:kyb-sandbox=event
    Scenario: What the sandbox shows of a plan
      Given a plan that is "Active"
      When "pause" happens to the plan
      Then the sandbox shows "the plan" as:
        """
        {"kind":"plan","id":"{plan}","machine":"plan","status":"Paused","summary":"$50.00 every month: Monthly membership","amount":5000,"created":"2026-03-02T17:00:00Z","changed":"2026-03-02T17:00:00Z","relations":[{"relation":"company","kind":"company","id":"{company}"}],
        "console":"/console/{integration}/entities/{plan}","facts":[{"name":"name","value":"Monthly membership"},{"name":"startDate","value":"2030-01-31"},
        {"name":"payers","value":"1"},{"name":"acceptedPayers","value":"1"},{"name":"feePayer","value":"client"}],
        "page":null,"visited":[{"seq":14,"cause":13,"at":"2026-03-02T17:00:00Z","event":"create","from":"","to":"Draft","reason":""},
        {"seq":22,"cause":21,"at":"2026-03-02T17:00:00Z","event":"activate","from":"Draft","to":"Active","reason":"decided by control call"},
        {"seq":24,"cause":23,"at":"2026-03-02T17:00:00Z","event":"pause","from":"Active","to":"Paused","reason":"decided by control call"}],
        "moves":[{"event":"activate","to":"Active","method":"POST","path":"/_sandbox/integrations/{integration}/plans/{plan}/activate","body":""},
        {"event":"cancel","to":"Canceled","method":"POST","path":"/_sandbox/integrations/{integration}/plans/{plan}/cancel","body":""}],
        "related":[{"kind":"company","id":"{company}","machine":"company","status":"Verified","summary":"Hillside Fitness","amount":null,"created":"2026-03-02T17:00:00Z","changed":"2026-03-02T17:00:00Z","relations":[],
        "console":"/console/{integration}/entities/{company}"},
        {"kind":"consent","id":"{consent}","machine":"consent","status":"Accepted","summary":"of pat.lindgren@example.com","amount":null,"created":"2026-03-02T17:00:00Z","changed":"2026-03-02T17:00:00Z","relations":[{"relation":"plan","kind":"plan","id":"{plan}"},
        {"relation":"payer","kind":"registration","id":"{payer}"}],"console":"/console/{integration}/entities/{consent}"}],"deliveries":[],"messages":[],
        "entries":[13,14,15,21,22,23,24],"omitted":0,"gap":null}
        """

    @needs:control @choice:kyb-sandbox=event
    Scenario: Why a plan is what it is
      Given a plan that is "Active"
      When "pause" happens to the plan
      Then the sandbox shows "why the plan is so" as:
        """
        {"entity":"{plan}","machine":"plan","state":"Paused","steps":[{"seq":24,"cause":23,"at":"2026-03-02T17:00:00Z","kind":"transition","says":"The plan went from Active to Paused by pause: decided by control call.","entities":["{plan}"]},
        {"seq":23,"cause":0,"at":"2026-03-02T17:00:00Z","kind":"control","says":"The control call POST /_sandbox/integrations/{integration}/plans/{plan}/pause (movePlan) was answered with 200.","entities":["{plan}"]}],
        "complete":true,"gap":null}
        """

  @clause:plan.status.partner @surface:provisional
  Rule: A partner activates, pauses and cancels plans, but only where the state admits it

    @needs:control
    Scenario Outline: A partner who <deed> that is <from>
      Given a plan that is "<from>"
      When the partner <deed>
      Then the answer is empty
      And the plan is "<to>"

      Examples:
        | from   | deed               | to       |
        | Draft  | activates the plan | Active   |
        | Active | pauses the plan    | Paused   |
        | Paused | activates the plan | Active   |
        | Active | cancels the plan   | Canceled |

    @needs:control
    Scenario: A plan that was paused collects once on its next day
      Given a plan that is "Active"
      And the partner pauses the plan
      And the partner activates the plan
      When the tester calls "GET /clock/due"
      Then the answer's total is "1"

    @needs:control
    Scenario Outline: A partner who <deed> that is <from> is refused
      Given a plan that is "<from>"
      When the partner <deed>
      Then the service refuses it as invalid
      And the plan is "<from>"

      Examples:
        | from      | deed               |
        | Draft     | pauses the plan    |
        | Canceled  | activates the plan |
        | Canceled  | cancels the plan   |
        | Completed | pauses the plan    |
