-- Budgets of a run limit the runs that it starts too. A child of a call has the step of that call; blocks of a workflow do
-- not, because each of them is a run of its own.
create function run_root(org uuid, run uuid) returns uuid language sql stable as $$
  with recursive up as (
    select id, parent_run_id, parent_step from runs where org_id = org and id = run
    union all
    select p.id, p.parent_run_id, p.parent_step from up join runs p on p.org_id = org and p.id = up.parent_run_id
    where up.parent_step is not null
  )
  select id from up where parent_step is null
$$;

create function run_tree_cost(org uuid, root uuid) returns numeric language sql stable as $$
  with recursive tree as (
    select id, cost from runs where org_id = org and id = root
    union all
    select c.id, c.cost from tree t join runs c on c.org_id = org and c.parent_run_id = t.id and c.parent_step is not null
  )
  select sum(cost)::numeric(20, 6) from tree
$$;

-- What calls of the runs below a run can cost. Its own next call is the only one of its own.
create function run_tree_reserved(org uuid, root uuid) returns numeric language sql stable as $$
  select coalesce(sum(amount), 0)::numeric(20, 6) from reservations
  where org_id = org and scope = 'run' and scope_id = root and period = 'run'
$$;

-- An undo of a run ends memories that the run created without deleting their rows.
alter table memory_versions drop constraint memory_versions_change_check;
alter table memory_versions add constraint memory_versions_change_check
  check (change in ('created', 'updated', 'accepted', 'merged', 'restored', 'imported', 'removed'));
create index memory_versions_run on memory_versions (org_id, run_id) where run_id is not null;

-- The models of guardrails are part of the ledger.
alter table usage drop constraint usage_kind_check;
alter table usage add constraint usage_kind_check check (kind in ('tokens', 'guardrail', 'call', 'sms', 'tool', 'payment'));
