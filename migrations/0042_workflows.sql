-- A workflow is a run without model calls: the runs of its blocks are its children.
alter table runs add kind text not null default 'agent' check (kind in ('agent', 'workflow'));

-- One row per block of a workflow, as it was when the workflow started: later edits of the canvas do not change it.
create table workflow_blocks (
  org_id uuid not null,
  run_id uuid not null,
  block_id uuid not null,
  -- The position in a topological order: every block follows its inputs.
  n integer not null,
  title text,
  instructions text not null,
  agent_id uuid not null,
  -- The blocks whose edges lead to this block, from the top of the canvas down: { blockId, title, type, text, isData }.
  -- `text` is null for a block of the workflow, whose answer is the input.
  inputs jsonb not null,
  state text not null check (state in ('queued', 'running', 'done', 'failed', 'skipped', 'canceled')),
  child_run_id uuid,
  error text,
  primary key (org_id, run_id, block_id),
  foreign key (org_id, run_id) references runs
);
create index workflow_blocks_block on workflow_blocks (org_id, block_id) where state in ('queued', 'running');
