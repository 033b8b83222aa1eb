@area:events
Feature: The service tells partners what happened

  @clause:event.company
  Rule: The end of a company's verification is told with the company and its status

    @needs:control @choice:event-order=causal @choice:kyb-rehearsal=seeded
    Scenario: A verified company in rehearsal
      Given an integration in environment "rehearsal"
      And a webhook receiver
      And a company
      When the verification ends as "verified"
      Then the receiver has got 1 delivery
      And the last delivery's Event is "COMPANY_VERIFICATION_STATUS_CHANGED"
      And the last delivery's Data.CompanyId is "the company's id"
      And the last delivery's Data.Status is "Verified"

    @needs:control @choice:event-order=causal @choice:kyb-rehearsal=seeded
    Scenario: A rejected company in rehearsal
      Given an integration in environment "rehearsal"
      And a webhook receiver
      And a company
      When the verification ends as "rejected"
      Then the last delivery's Data.Status is "Rejected"

    @needs:control @choice:event-order=causal
    Scenario: By time
      Given an integration in environment "rehearsal"
      And a webhook receiver
      And a company with name "KYB REJECT Gym"
      When 24 hours pass
      Then the deliveries tell of "Rejected"

    @needs:control @choice:kyb-rehearsal=seeded
    Scenario: Nothing before the verification has ended
      Given an integration in environment "rehearsal"
      And a webhook receiver
      When the partner registers a company
      Then the receiver has got 0 deliveries

  @clause:event.company.shape
  Rule: A company's event has Live, Event and Data with CompanyId, Status and Timestamp

    @needs:control @choice:event-order=causal @choice:kyb-sandbox=event
    Scenario: Exactly these members
      Given a webhook receiver
      When the partner registers a company
      Then the last delivery has exactly the members:
        | Live  | truth  |
        | Event | text   |
        | Data  | object |
      And the last delivery's Data has exactly the members:
        | CompanyId | id     |
        | Status    | text   |
        | Timestamp | moment |

  @clause:event.company.timestamp
  Rule: A company's event tells the moment at which it happened

    @needs:control @choice:dates=seconds @choice:event-order=causal @choice:kyb-sandbox=event @choice:event-timestamp=present
    Scenario: Virtual time
      Given the clock starts at "2026-05-06T07:08:09Z"
      And a webhook receiver
      When the partner registers a company
      Then the last delivery's Data.Timestamp is "2026-05-06T07:08:09Z"

    @needs:control @choice:dates=seconds @choice:event-order=causal @choice:kyb-sandbox=event @choice:event-timestamp=present
    Scenario: A receiver can be tried with an old one
      Given the clock starts at "2026-05-06T07:08:09Z"
      And a webhook receiver
      And the deliveries go wrong by "stale-timestamp"
      When the partner registers a company
      Then the last delivery's Data.Timestamp is "2026-05-06T06:08:09Z"

  @clause:event.company.live
  Rule: Live is false outside of production

    @needs:control @choice:kyb-sandbox=event
    Scenario Outline: In <environment>
      Given an integration in environment "<environment>"
      And a webhook receiver
      And a company
      When 24 hours pass
      Then the last delivery's Live is "false"

      Examples:
        | environment |
        | sandbox     |
        | rehearsal   |

  @clause:event.company.sandbox
  Rule: In the sandbox the event comes once, right after the registration

    @needs:control @choice:event-order=causal
    Scenario: One event
      Given a webhook receiver
      When the partner registers a company
      Then the deliveries tell of "Verified"
      And the receiver has got 1 delivery
