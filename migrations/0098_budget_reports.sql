-- Reports a share of a budget once per period. The report has the amounts of this moment: until the job runs, the budget
-- may change, and then an earlier report must not look like the later one's.
create or replace function report_budget(total spend, share int) returns void language plpgsql as $$
begin
  update spend t set reported = share
  where t.org_id = total.org_id and t.scope = total.scope and t.scope_id = total.scope_id and t.period = total.period
    and t.period_start = total.period_start and t.reported < share;
  if found then
    perform graphile_worker.add_job('budgets.reported', json_build_object('orgId', total.org_id, 'scope', total.scope,
      'scopeId', total.scope_id, 'period', total.period, 'periodStart', total.period_start, 'percentage', share,
      'amount', b.amount::text, 'spent', total.amount::text, 'onReach', b.on_reach),
      max_attempts => 12, flags => array['default ' || total.org_id])
    from budgets_of(total.org_id, total.scope_id, total.scope_id, total.scope_id, total.scope_id) b
    where b.scope = total.scope and b.period = total.period;
  end if;
end $$;
