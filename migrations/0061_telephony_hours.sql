-- One row per hour and project: the numbers of its calls and messages, so that an overview does not read each of them.
-- Hours are added up to days once a day is over, and deleted after two days.
create table telephony_hours (
  org_id uuid not null,
  hour timestamptz(0) not null,
  project_id uuid not null,
  calls integer not null default 0,
  seconds bigint not null default 0,
  -- The number of inbound calls that ended unanswered and were not rejected.
  missed integer not null default 0,
  over_budget integer not null default 0,
  received integer not null default 0,
  sent integer not null default 0,
  failed integer not null default 0,
  failed_at timestamptz(3),
  primary key (org_id, hour, project_id)
);
create index telephony_hours_project on telephony_hours (org_id, project_id);

-- Returns whether an inbound call ended unanswered and was not rejected.
create function is_missed(c calls) returns boolean language sql immutable as $$
  select c.direction = 'inbound' and c.answered_at is null and c.ended_at is not null and c.status <> 'rejected'
$$;

create function count_call() returns trigger language plpgsql as $$
declare
  new_calls integer := (tg_op = 'INSERT')::integer;
  new_seconds integer := coalesce(new.duration_seconds, 0) - coalesce(old.duration_seconds, 0);
  new_missed integer := is_missed(new)::integer - coalesce(is_missed(old)::integer, 0);
  new_over_budget integer := coalesce((new.end_reason = 'budget')::integer, 0)
    - coalesce((old.end_reason = 'budget')::integer, 0);
begin
  if new_calls <> 0 or new_seconds <> 0 or new_missed <> 0 or new_over_budget <> 0 then
    insert into telephony_hours as h (org_id, hour, project_id, calls, seconds, missed, over_budget)
    values (new.org_id, date_trunc('hour', new.started_at, 'UTC'), new.project_id, new_calls, new_seconds, new_missed,
      new_over_budget)
    on conflict (org_id, hour, project_id) do update set calls = h.calls + excluded.calls,
      seconds = h.seconds + excluded.seconds, missed = h.missed + excluded.missed,
      over_budget = h.over_budget + excluded.over_budget;
  end if;
  return null;
end
$$;

-- Deferred to the end of the transaction, so that the row of an hour is locked briefly, and after all other rows.
create constraint trigger count_call
  after insert or update of status, answered_at, ended_at, duration_seconds, end_reason on calls
  deferrable initially deferred for each row execute function count_call();

create function count_sms() returns trigger language plpgsql as $$
declare
  is_new boolean := tg_op = 'INSERT';
  has_failed boolean := new.status in ('failed', 'undelivered');
  new_failed integer := has_failed::integer - coalesce((old.status in ('failed', 'undelivered'))::integer, 0);
begin
  if is_new or new_failed <> 0 then
    insert into telephony_hours as h (org_id, hour, project_id, received, sent, failed, failed_at)
    values (new.org_id, date_trunc('hour', new.created_at, 'UTC'), new.project_id,
      (is_new and new.direction = 'inbound')::integer, (is_new and new.direction = 'outbound')::integer, new_failed,
      case when has_failed then new.created_at end)
    on conflict (org_id, hour, project_id) do update set received = h.received + excluded.received,
      sent = h.sent + excluded.sent, failed = h.failed + excluded.failed,
      failed_at = greatest(h.failed_at, excluded.failed_at);
  end if;
  return null;
end
$$;

create constraint trigger count_sms after insert or update of status on sms_messages
  deferrable initially deferred for each row execute function count_sms();

insert into telephony_hours (org_id, hour, project_id, calls, seconds, missed, over_budget, received, sent, failed, failed_at)
select org_id, hour, project_id, sum(calls), sum(seconds), sum(missed), sum(over_budget), sum(received), sum(sent), sum(failed),
  max(failed_at)
from (
  select c.org_id, date_trunc('hour', c.started_at, 'UTC') as hour, c.project_id, 1 as calls,
    coalesce(c.duration_seconds, 0) as seconds, is_missed(c)::integer as missed,
    coalesce((c.end_reason = 'budget')::integer, 0) as over_budget, 0 as received, 0 as sent, 0 as failed,
    null::timestamptz as failed_at
  from calls c where c.started_at >= now() - interval '31 days'
  union all
  select m.org_id, date_trunc('hour', m.created_at, 'UTC'), m.project_id, 0, 0, 0, 0, (m.direction = 'inbound')::integer,
    (m.direction = 'outbound')::integer, (m.status in ('failed', 'undelivered'))::integer,
    case when m.status in ('failed', 'undelivered') then m.created_at end
  from sms_messages m where m.created_at >= now() - interval '31 days'
) x
group by org_id, hour, project_id;

-- Each filter of the list of calls has an index in list order, and one within a project.
alter table calls add column peer text not null
  generated always as (case direction when 'inbound' then from_number else to_number end) stored;
drop index calls_open;
create index calls_open on calls (org_id, started_at desc, id desc) where ended_at is null;
create index calls_project_open on calls (org_id, project_id, started_at desc, id desc) where ended_at is null;
create index calls_status on calls (org_id, status, started_at desc, id desc);
create index calls_project_status on calls (org_id, project_id, status, started_at desc, id desc);
create index calls_direction on calls (org_id, direction, started_at desc, id desc);
create index calls_project_direction on calls (org_id, project_id, direction, started_at desc, id desc);
create index calls_agent on calls (org_id, agent_id, started_at desc, id desc) where agent_id is not null;
create index calls_peer on calls (org_id, peer, started_at desc, id desc);

-- The tools of a grant for one call, which are those of the agent of the call. Grants of calls before this migration
-- have none.
alter table app_grants add column tools text[] not null default '{}';
