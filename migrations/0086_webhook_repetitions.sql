-- Folding repeated requests: a window per webhook for senders without an event id, and the times of repetitions.

-- How long an equal body of an unknown sender is a repetition of the first one, in seconds; 0 stores every request.
alter table webhooks add column dedup_window_seconds integer not null default 600
  check (dedup_window_seconds between 0 and 604800);

-- One row per received event that arrived more than once. Deleted with its event.
create table event_repetitions (
  org_id uuid not null,
  event_id uuid not null,
  count bigint not null,
  -- The last of the times, oldest first.
  times timestamptz(3)[] not null,
  primary key (org_id, event_id)
) with (fillfactor = 70);
create index event_repetitions_age on event_repetitions (event_id);
