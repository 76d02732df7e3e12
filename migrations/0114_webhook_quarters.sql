-- Attempts per webhook and quarter of an hour, over the last day: lists of webhooks read these rows instead of every
-- attempt. A quarter's row is used again a day later, so no row has to be deleted.
create table webhook_quarters (
  org_id uuid not null,
  webhook_id uuid not null,
  slot smallint not null check (slot between 0 and 95),
  began_at timestamptz(3) not null,
  succeeded integer not null,
  failed integer not null,
  primary key (org_id, webhook_id, slot),
  foreign key (org_id, webhook_id) references webhooks on delete cascade
) with (fillfactor = 50);

create function count_attempt() returns trigger language plpgsql as $$
declare
  quarter timestamptz := date_bin('15 minutes', new.started_at, 'epoch');
begin
  insert into webhook_quarters as q (org_id, webhook_id, slot, began_at, succeeded, failed)
  values (new.org_id, new.webhook_id, extract(epoch from quarter)::bigint / 900 % 96, quarter, new.succeeded::int,
    (not new.succeeded)::int)
  on conflict (org_id, webhook_id, slot) do update set
    began_at = excluded.began_at,
    succeeded = excluded.succeeded + case when q.began_at = excluded.began_at then q.succeeded else 0 end,
    failed = excluded.failed + case when q.began_at = excluded.began_at then q.failed else 0 end
  where q.began_at <= excluded.began_at;
  return null;
end $$;
create trigger delivery_attempts_counted after insert on delivery_attempts for each row execute function count_attempt();

insert into webhook_quarters (org_id, webhook_id, slot, began_at, succeeded, failed)
select w.org_id, w.id, extract(epoch from a.quarter)::bigint / 900 % 96, a.quarter, a.succeeded, a.failed
from webhooks w cross join lateral (
  select date_bin('15 minutes', started_at, 'epoch') as quarter, count(*) filter (where succeeded) as succeeded,
    count(*) filter (where not succeeded) as failed
  from delivery_attempts a
  where a.org_id = w.org_id and a.webhook_id = w.id
    and a.started_at >= date_bin('15 minutes', now(), 'epoch') - interval '23 hours 45 minutes' and a.started_at <= now()
  group by 1
) a;
