-- One row per schedule, which starts runs at the times of a cron expression: of an agent with a message, or of an agent
-- block and the workflow that begins with it.
create table schedules (
  org_id uuid not null,
  id uuid not null,
  name text not null,
  project_id uuid not null,
  -- Null for an agent block, which has its own agent.
  agent_id uuid,
  message text,
  block_id uuid,
  cron text not null,
  time_zone text not null,
  enabled boolean not null,
  -- Why the server paused the schedule; null if it did not. A member can resume it.
  paused_reason text,
  paused_at timestamptz(3),
  -- The time of the next run; null if none is planned.
  next_run_at timestamptz(3),
  -- When the next run is due; while a worker has claimed the schedule, when its lease expires.
  due_at timestamptz(3),
  -- The number of the last claim. The transaction that starts a run compares it with the number of its worker's own
  -- claim.
  lease integer not null default 0,
  last_run_at timestamptz(3),
  last_outcome text check (last_outcome in ('started', 'skipped', 'failed')),
  last_error text,
  last_run_id uuid,
  -- The member who last changed the task of the schedule, and the API key if the member used one. Runs start with their
  -- rights.
  owner_id uuid not null references users,
  key_id uuid,
  created_by uuid not null references users,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (org_id, id),
  foreign key (org_id, project_id) references projects,
  foreign key (org_id, agent_id) references agents,
  check ((message is null) <> (block_id is null)),
  check ((agent_id is null) = (message is null))
);
create index schedules_project on schedules (org_id, project_id, id desc);
create index schedules_agent on schedules (org_id, agent_id, id desc) where agent_id is not null;
create index schedules_due on schedules (due_at) where due_at is not null;

alter table runs add schedule_id uuid;
create index runs_schedule on runs (org_id, schedule_id, id desc) where schedule_id is not null;
