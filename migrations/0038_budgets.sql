-- One row per budget: the amount that an organization, a project, an agent, a user or an API key may spend, in US
-- dollars.
create table budgets (
  org_id uuid not null references organizations,
  scope text not null check (scope in ('org', 'project', 'agent', 'user', 'key')),
  scope_id uuid not null,
  period text not null check (period in ('run', 'day', 'month', 'total')),
  amount numeric(20, 6) not null check (amount > 0),
  on_reach text not null check (on_reach in ('pause', 'stop', 'notify')),
  updated_by uuid references users,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (org_id, scope, scope_id, period)
);

-- One row per budget and period: `amount` is the sum of the costs in the ledger, `reserved` the maximum cost of the
-- model calls in progress. The total of a run is in its row in `runs`. Days and months begin at midnight UTC; the
-- period `total` has one row, which begins in 1970.
create table spend (
  org_id uuid not null,
  scope text not null,
  scope_id uuid not null,
  period text not null check (period in ('day', 'month', 'total')),
  period_start date not null,
  amount numeric(20, 6) not null,
  reserved numeric(20, 6) not null default 0 check (reserved >= 0),
  -- The highest share of the budget that has been reported, in percent: 0, 80 or 100.
  reported smallint not null default 0,
  primary key (org_id, scope, scope_id, period, period_start)
) with (fillfactor = 50);

-- One row per model call in progress and budget that applies to it: the maximum cost of the call.
create table reservations (
  org_id uuid not null,
  run_id uuid not null,
  step integer not null,
  attempt integer not null,
  scope text not null,
  scope_id uuid not null,
  period text not null,
  period_start date not null,
  amount numeric(20, 6) not null check (amount >= 0),
  primary key (org_id, run_id, step, attempt, scope, scope_id, period, period_start)
);
create index reservations_scope on reservations (org_id, scope, scope_id, period);

-- The ledger by day (UTC), so that the number of rows that a total reads does not depend on the number of calls.
create table usage_days (
  org_id uuid not null,
  day date not null,
  kind text not null,
  project_id uuid,
  agent_id uuid,
  model text not null,
  user_id uuid,
  key_id uuid,
  calls bigint not null,
  -- The number of calls without a known price.
  unpriced bigint not null,
  tokens_in bigint not null,
  tokens_out bigint not null,
  cost numeric(20, 6) not null,
  unique nulls not distinct (org_id, day, kind, project_id, agent_id, model, user_id, key_id)
) with (fillfactor = 70);
create index usage_days_user on usage_days (org_id, user_id, day);

insert into usage_days (org_id, day, kind, project_id, agent_id, model, user_id, key_id, calls, unpriced, tokens_in,
  tokens_out, cost)
select org_id, (at at time zone 'UTC')::date, kind, project_id, agent_id, model, user_id, key_id, count(*),
  count(*) filter (where cost is null), coalesce(sum((quantity ->> 'input')::bigint), 0),
  coalesce(sum((quantity ->> 'output')::bigint), 0), coalesce(sum(cost), 0)
from usage group by 1, 2, 3, 4, 5, 6, 7, 8;

-- Returns the budgets that apply to a call; `rank` is the order in which rows of `spend` are locked. The `budget` in
-- the current version of an agent limits each of its runs.
create function budgets_of(org uuid, project uuid, agent uuid, person uuid, key uuid)
returns table (rank int, scope text, scope_id uuid, period text, amount numeric, on_reach text) language sql stable as $$
  select s.rank, s.scope, s.id, b.period, b.amount, b.on_reach
  from (values (1, 'org', org), (2, 'project', project), (3, 'agent', agent), (4, 'user', person), (5, 'key', key))
    s (rank, scope, id)
  join budgets b on b.org_id = org and b.scope = s.scope and b.scope_id = s.id
  union all
  select 3, 'agent', a.id, 'run', (v.settings -> 'budget' ->> 'amount')::numeric, 'pause'
  from agents a join agent_versions v on v.org_id = a.org_id and v.agent_id = a.id and v.version = a.version
  where a.org_id = org and a.id = agent and v.settings -> 'budget' ->> 'amount' is not null
$$;

-- Returns the first day (UTC) of the period that contains a time.
create function budget_period_start(period text, at timestamptz) returns date language sql immutable as $$
  select case period when 'day' then (at at time zone 'UTC')::date
    when 'month' then date_trunc('month', at at time zone 'UTC')::date when 'total' then date '1970-01-01' end
$$;

-- Returns the sum of the costs of a scope in the ledger since a day, inclusive.
create function spent_since(org uuid, of_scope text, id uuid, since date) returns numeric language sql stable as $$
  select coalesce(sum(cost), 0) from usage_days
  where org_id = org and day >= since and (of_scope = 'org' or of_scope = 'project' and project_id = id
    or of_scope = 'agent' and agent_id = id or of_scope = 'user' and user_id = id or of_scope = 'key' and key_id = id)
$$;

-- Returns the key of the advisory lock for the budgets of an organization. Calls take it in shared mode, and a change
-- of budgets takes it in exclusive mode, so that either the call sees the change or the change sees the call. Without
-- the lock, a run could begin to wait just after the change that should continue it, and a new total could miss a cost
-- that commits while the total is computed.
create function budget_lock(org uuid) returns bigint language sql immutable as $$
  select hashtextextended('budgets ' || org, 0)
$$;

-- Adds an entry of the ledger to its day and to the totals of the budgets that apply. It is a trigger, so that no
-- writer of the ledger can omit a total, and a call without a budget needs no extra statement.
create function count_usage() returns trigger language plpgsql as $$
declare
  limited record;
  total spend%rowtype;
  share smallint;
begin
  insert into usage_days as d (org_id, day, kind, project_id, agent_id, model, user_id, key_id, calls, unpriced, tokens_in,
    tokens_out, cost)
  values (new.org_id, (new.at at time zone 'UTC')::date, new.kind, new.project_id, new.agent_id, new.model, new.user_id,
    new.key_id, 1, (new.cost is null)::int, coalesce((new.quantity ->> 'input')::bigint, 0),
    coalesce((new.quantity ->> 'output')::bigint, 0), coalesce(new.cost, 0))
  on conflict (org_id, day, kind, project_id, agent_id, model, user_id, key_id) do update set
    calls = d.calls + 1, unpriced = d.unpriced + excluded.unpriced, tokens_in = d.tokens_in + excluded.tokens_in,
    tokens_out = d.tokens_out + excluded.tokens_out, cost = d.cost + excluded.cost;
  if coalesce(new.cost, 0) = 0 then
    return null;
  end if;
  perform pg_advisory_xact_lock_shared(budget_lock(new.org_id));
  for limited in
    select b.*, budget_period_start(b.period, new.at) as period_start
    from budgets_of(new.org_id, new.project_id, new.agent_id, new.user_id, new.key_id) b
    where b.period <> 'run' order by b.rank, b.scope_id, b.period
  loop
    update spend t set amount = t.amount + new.cost
    where t.org_id = new.org_id and t.scope = limited.scope and t.scope_id = limited.scope_id
      and t.period = limited.period and t.period_start = limited.period_start
    returning * into total;
    if not found then
      -- The days have the cost already.
      insert into spend as t (org_id, scope, scope_id, period, period_start, amount)
      values (new.org_id, limited.scope, limited.scope_id, limited.period, limited.period_start,
        spent_since(new.org_id, limited.scope, limited.scope_id, limited.period_start))
      on conflict (org_id, scope, scope_id, period, period_start) do update set amount = t.amount + new.cost
      returning * into total;
    end if;
    share := case when total.amount >= limited.amount then 100 when total.amount >= limited.amount * 0.8 then 80 else 0 end;
    if share > total.reported then
      perform report_budget(total, share);
    end if;
  end loop;
  return null;
end $$;

-- Reports a share of a budget once per period: the job publishes the event and notifies admins.
create function report_budget(total spend, share int) returns void language plpgsql as $$
begin
  update spend t set reported = share
  where t.org_id = total.org_id and t.scope = total.scope and t.scope_id = total.scope_id and t.period = total.period
    and t.period_start = total.period_start and t.reported < share;
  if found then
    perform graphile_worker.add_job('budgets.reported', json_build_object('orgId', total.org_id, 'scope', total.scope,
      'scopeId', total.scope_id, 'period', total.period, 'periodStart', total.period_start, 'percentage', share),
      max_attempts => 12, flags => array['default ' || total.org_id]);
  end if;
end $$;

create trigger usage_counted after insert on usage for each row execute function count_usage();

-- Finds the runs that a change of a budget may continue.
create index runs_waiting_for_budget on runs (org_id, id) where status = 'waiting' and wait ->> 'for' = 'budget';
