-- Webhooks that the server pauses: because their endpoint times out, or because too many of their deliveries wait.
alter table webhooks
  -- Null for a webhook that is active, or that a member paused.
  add column paused_reason text check (paused_reason in ('backlog', 'timeouts')),
  add column paused_at timestamptz(3),
  -- Deliveries that were created before it do not count as backlog: whoever resumes a webhook accepts them.
  add column resumed_at timestamptz(3),
  -- Attempts in a row that got no response in time.
  add column timeouts integer not null default 0;
