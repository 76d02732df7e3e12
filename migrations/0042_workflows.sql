-- A workflow is a run without model calls: the runs of its blocks are its children.
alter table runs add kind text not null default 'agent' check (kind in ('agent', 'workflow'));

-- The blocks of a workflow as they were when it started: later edits of the canvas do not change it.
create table workflow_blocks (
  org_id uuid not null,
  run_id uuid not null,
  block_id uuid not null,
  -- The position in an order in which every block follows its inputs.
  n integer not null,
  title text,
  instructions text not null,
  agent_id uuid not null,
  -- What leads to it, from the top of the canvas down: { blockId, title, type, text, isData }. The text is null for a block of
  -- the workflow, whose answer it is.
  inputs jsonb not null,
  state text not null check (state in ('queued', 'running', 'done', 'failed', 'skipped', 'canceled')),
  child_run_id uuid,
  error text,
  primary key (org_id, run_id, block_id),
  foreign key (org_id, run_id) references runs
);
create index workflow_blocks_block on workflow_blocks (org_id, block_id) where state in ('queued', 'running');
