-- Input tokens that a provider read from its prompt cache, and ones that it wrote to it. `tokens_in` includes both.
alter table usage_days
  add column tokens_cache_read bigint not null default 0,
  add column tokens_cache_write bigint not null default 0;
alter table runs
  add column tokens_cache_read bigint not null default 0,
  add column tokens_cache_write bigint not null default 0;

insert into usage_days as d (org_id, day, kind, project_id, agent_id, model, user_id, key_id, calls, unpriced, tokens_in,
  tokens_out, tokens_cache_read, tokens_cache_write, cost)
select org_id, (at at time zone 'UTC')::date, kind, project_id, agent_id, model, user_id, key_id, 0, 0, 0, 0,
  sum(coalesce((quantity ->> 'cacheRead')::bigint, 0)), sum(coalesce((quantity ->> 'cacheWrite')::bigint, 0)), 0
from usage
where (quantity ->> 'cacheRead')::bigint > 0 or (quantity ->> 'cacheWrite')::bigint > 0
group by 1, 2, 3, 4, 5, 6, 7, 8
on conflict (org_id, day, kind, project_id, agent_id, model, user_id, key_id) do update set
  tokens_cache_read = excluded.tokens_cache_read, tokens_cache_write = excluded.tokens_cache_write;

update runs r set tokens_cache_read = u.cache_read, tokens_cache_write = u.cache_write
from (
  select org_id, run_id, sum(coalesce((quantity ->> 'cacheRead')::bigint, 0)) as cache_read,
    sum(coalesce((quantity ->> 'cacheWrite')::bigint, 0)) as cache_write
  from usage
  where (quantity ->> 'cacheRead')::bigint > 0 or (quantity ->> 'cacheWrite')::bigint > 0
  group by 1, 2
) u
where r.org_id = u.org_id and r.id = u.run_id;

-- Like the function of 0060, with cached tokens.
create or replace function count_usage() returns trigger language plpgsql as $$
declare
  limited record;
  total spend%rowtype;
  share smallint;
  is_difference boolean := new.kind in ('call', 'sms') and new.attempt > 1;
begin
  insert into usage_days as d (org_id, day, kind, project_id, agent_id, model, user_id, key_id, calls, unpriced, tokens_in,
    tokens_out, tokens_cache_read, tokens_cache_write, cost)
  values (new.org_id, (new.at at time zone 'UTC')::date, new.kind, new.project_id, new.agent_id, new.model, new.user_id,
    new.key_id, (not is_difference)::int, (new.cost is null)::int, coalesce((new.quantity ->> 'input')::bigint, 0),
    coalesce((new.quantity ->> 'output')::bigint, 0), coalesce((new.quantity ->> 'cacheRead')::bigint, 0),
    coalesce((new.quantity ->> 'cacheWrite')::bigint, 0), coalesce(new.cost, 0))
  on conflict (org_id, day, kind, project_id, agent_id, model, user_id, key_id) do update set
    calls = d.calls + excluded.calls, unpriced = d.unpriced + excluded.unpriced,
    tokens_in = d.tokens_in + excluded.tokens_in, tokens_out = d.tokens_out + excluded.tokens_out,
    tokens_cache_read = d.tokens_cache_read + excluded.tokens_cache_read,
    tokens_cache_write = d.tokens_cache_write + excluded.tokens_cache_write, cost = d.cost + excluded.cost;
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
