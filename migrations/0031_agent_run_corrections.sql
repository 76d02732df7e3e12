-- A run starts with the lowest trust of the messages that it reads; `untrusted` sorts before `verified`.
create index messages_outside on messages (org_id, session_id, trust) where trust <> 'trusted';

-- The model call that summarizes earlier messages is an attempt of the step before which it happens, so that its cost is
-- recorded and a crash during it counts like any other.
alter table run_steps add kind text not null default 'answer' check (kind in ('answer', 'summary'));

-- Counts the errors of the server itself in a row, which must not repeat a step for ever.
alter table runs add faults integer not null default 0;

-- Few runs are active at any time; the metrics count them.
create index runs_active on runs (status) where agent_id is not null and status in ('queued', 'running', 'waiting');

-- The runs whose events are still stored, for the sweep.
alter table runs add events_deleted_at timestamptz(3);
create index runs_with_events on runs (finished_at)
  where agent_id is not null and finished_at is not null and events_deleted_at is null;
