-- One row per organization: its defaults and rules for agents. A missing setting has the default of the server.
create table org_settings (
  org_id uuid primary key references organizations,
  settings jsonb not null,
  updated_by uuid references users,
  updated_at timestamptz(3) not null
);

-- Also returns the default budgets of the organization, for each scope that has no budget of its own for the same
-- period.
create or replace function budgets_of(org uuid, project uuid, agent uuid, person uuid, key uuid)
returns table (rank int, scope text, scope_id uuid, period text, amount numeric, on_reach text) language sql stable as $$
  with scopes (rank, scope, id) as (
    values (1, 'org', org), (2, 'project', project), (3, 'agent', agent), (4, 'user', person), (5, 'key', key)
  )
  select s.rank, s.scope, s.id, b.period, b.amount, b.on_reach
  from scopes s join budgets b on b.org_id = org and b.scope = s.scope and b.scope_id = s.id
  union all
  select 3, 'agent', a.id, 'run', (v.settings -> 'budget' ->> 'amount')::numeric, 'pause'
  from agents a join agent_versions v on v.org_id = a.org_id and v.agent_id = a.id and v.version = a.version
  where a.org_id = org and a.id = agent and v.settings -> 'budget' ->> 'amount' is not null
  union all
  select s.rank, s.scope, s.id, d.value ->> 'period', (d.value ->> 'amount')::numeric, d.value ->> 'onReach'
  from org_settings o
  cross join lateral jsonb_each(o.settings -> 'defaultBudgets') d
  join scopes s on s.scope = d.key and s.id is not null
  where o.org_id = org and jsonb_typeof(d.value) = 'object' and not exists (
    select from budgets b
    where b.org_id = org and b.scope = s.scope and b.scope_id = s.id and b.period = d.value ->> 'period')
$$;
