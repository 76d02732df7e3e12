-- The event that a block waits for: an event's id is later than `event_after`.
alter table workflow_blocks
  add event_type text,
  add event_after uuid;
create index workflow_blocks_event on workflow_blocks (org_id, event_type) where event_type is not null and state = 'running';

-- A form that a workflow waits for.
create table form_requests (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  run_id uuid not null,
  block_id uuid not null,
  title text,
  content text,
  -- { key, label, type, options, required }, as they were when the block started.
  fields jsonb not null,
  -- Empty: everyone who can edit the project.
  people uuid[] not null,
  state text not null default 'open' check (state in ('open', 'answered', 'closed')),
  answer jsonb,
  answered_by uuid references users,
  answered_at timestamptz(3),
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  primary key (org_id, id),
  foreign key (org_id, run_id) references runs
);
create index form_requests_open on form_requests (org_id, id desc) where state = 'open';
create index form_requests_run on form_requests (org_id, run_id, block_id);
