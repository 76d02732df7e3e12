-- The number of the change up to which the history is pruned: it has only the states of snapshots, and the changes
-- between two snapshots are combined into one per block and edge.
alter table projects add column pruned_seq bigint not null default 0;
alter table snapshots drop constraint snapshots_reason_check;
alter table snapshots add constraint snapshots_reason_check
  check (reason in ('manual', 'restore', 'run', 'history', 'snapshot', 'prune'));
create index snapshots_seq on snapshots (org_id, project_id, seq);
