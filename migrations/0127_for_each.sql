-- What a block does instead of calling its agent, and the list it repeats over, as it was when the workflow started.
alter table workflow_blocks
  add step jsonb,
  add for_each jsonb,
  -- The output of a block without a run of its own.
  add output jsonb,
  -- When a waiting block continues or gives up.
  add wake_at timestamptz(3);

-- A block's list in a workflow. A retry moves it to the new run, so ended items keep their results.
create table item_lists (
  org_id uuid not null,
  id uuid not null,
  run_id uuid not null,
  block_id uuid not null,
  -- Where listing continues. Null once all items are listed.
  cursor text,
  total integer not null default 0,
  running integer not null default 0,
  done integer not null default 0,
  failed integer not null default 0,
  cost numeric(20, 6) not null default 0,
  -- The cost when this run began: the budget counts from here.
  cost_before numeric(20, 6) not null default 0,
  -- Only the first items run until a member continues. Null: all items run.
  preview integer,
  -- The items are untrusted: agents read them as data.
  is_data boolean not null,
  -- The latest run that has read untrusted content, else the latest.
  output_run_id uuid,
  is_untrusted boolean not null default false,
  shown_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (org_id, id),
  unique (org_id, run_id, block_id),
  foreign key (org_id, run_id) references runs
);

create table list_items (
  org_id uuid not null,
  list_id uuid not null,
  n integer not null,
  label text not null,
  value jsonb not null,
  state text not null default 'queued' check (state in ('queued', 'running', 'done', 'failed')),
  attempts integer not null default 0,
  run_id uuid,
  output jsonb,
  error text,
  cost numeric(20, 6) not null default 0,
  started_at timestamptz(3),
  finished_at timestamptz(3),
  primary key (org_id, list_id, n),
  foreign key (org_id, list_id) references item_lists
);
create index list_items_state on list_items (org_id, list_id, state, n);
