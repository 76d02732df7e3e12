-- A JavaScript expression over the upstream block's output. Null: the edge is always open.
alter table edges add condition text check (length(condition) between 1 and 2000);

-- Conditions join the texts whose untrusted authors are known.
drop trigger text_origins_inserted on edges;
drop trigger text_origins_updated on edges;
create trigger text_origins_inserted after insert on edges
  for each row execute function record_text_origins('label', 'condition');
create trigger text_origins_updated after update on edges
  for each row when (old.label is distinct from new.label or old.condition is distinct from new.condition)
  execute function record_text_origins('label', 'condition');

-- A block's incoming edges: { from, condition, isInside, isOpen }. `isInside`: from a block in this workflow. `isOpen` is
-- null until the condition is evaluated. Null for workflows that started before conditions existed.
alter table workflow_blocks
  add incoming jsonb,
  -- A closed condition and a failure both skip a block, but only a failure fails the workflow.
  add skip_reason text check (skip_reason in ('condition', 'failure'));
update workflow_blocks set skip_reason = 'failure' where state = 'skipped';
