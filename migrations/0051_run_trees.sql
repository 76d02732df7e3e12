-- Returns the root of the tree of runs that a run belongs to. The budgets of a run also limit the runs that its tool
-- calls start, which have a `parent_step`. The runs of a workflow's blocks have none: each of them is the root of its
-- own tree.
create function run_root(org uuid, run uuid) returns uuid language sql stable as $$
  with recursive up as (
    select id, parent_run_id, parent_step from runs where org_id = org and id = run
    union all
    select p.id, p.parent_run_id, p.parent_step from up join runs p on p.org_id = org and p.id = up.parent_run_id
    where up.parent_step is not null
  )
  select id from up where parent_step is null
$$;

-- Returns the cost of a run and of the runs below it, in US dollars.
create function run_tree_cost(org uuid, root uuid) returns numeric language sql stable as $$
  with recursive tree as (
    select id, cost from runs where org_id = org and id = root
    union all
    select c.id, c.cost from tree t join runs c on c.org_id = org and c.parent_run_id = t.id and c.parent_step is not null
  )
  select sum(cost)::numeric(20, 6) from tree
$$;

-- Returns the maximum cost of the model calls in progress in the runs below a run, in US dollars. A run has at most one
-- model call at a time, so its own is not part of it.
create function run_tree_reserved(org uuid, root uuid) returns numeric language sql stable as $$
  select coalesce(sum(amount), 0)::numeric(20, 6) from reservations
  where org_id = org and scope = 'run' and scope_id = root and period = 'run'
$$;

-- `removed`: the undo of a run removes the memories that the run created, and their rows stay.
alter table memory_versions drop constraint memory_versions_change_check;
alter table memory_versions add constraint memory_versions_change_check
  check (change in ('created', 'updated', 'accepted', 'merged', 'restored', 'imported', 'removed'));
create index memory_versions_run on memory_versions (org_id, run_id) where run_id is not null;

-- `guardrail`: the ledger records the model calls of guardrails.
alter table usage drop constraint usage_kind_check;
alter table usage add constraint usage_kind_check check (kind in ('tokens', 'guardrail', 'call', 'sms', 'tool', 'payment'));
