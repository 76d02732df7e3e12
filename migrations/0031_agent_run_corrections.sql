-- A run starts with the lowest trust of the messages that it reads; `untrusted` sorts before `verified`.
create index messages_outside on messages (org_id, session_id, trust) where trust <> 'trusted';

-- The model call that summarizes earlier messages is an attempt of the step that follows it, so that its cost is
-- recorded and a crash during it counts as an interrupted attempt.
alter table run_steps add kind text not null default 'answer' check (kind in ('answer', 'summary'));

-- The number of consecutive internal errors. It is limited, so that a step is not repeated forever.
alter table runs add faults integer not null default 0;

-- For the metrics, which count the active runs: few runs are active at any time.
create index runs_active on runs (status) where agent_id is not null and status in ('queued', 'running', 'waiting');

-- When the events of the run were deleted. Retention finds the ended runs whose events are still stored.
alter table runs add events_deleted_at timestamptz(3);
create index runs_with_events on runs (finished_at)
  where agent_id is not null and finished_at is not null and events_deleted_at is null;
