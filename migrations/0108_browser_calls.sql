-- A member talks to an agent in the browser, without a carrier: `created_by` is the member, and `to_number` the agent's
-- name. Existing rows need no check: all of them meet the former constraint.
alter table calls drop constraint calls_provider_check;
alter table calls add constraint calls_provider_check
  check (provider in ('twilio', 'openai', 'elevenlabs', 'browser')) not valid;

-- A browser that never connects has missed nothing.
create or replace function is_missed(c calls) returns boolean language sql immutable as $$
  select c.direction = 'inbound' and c.answered_at is null and c.ended_at is not null and c.status <> 'rejected'
    and c.provider <> 'browser'
$$;

-- Found by the agent's name.
create or replace view search_source_call as
  select c.org_id, c.id, c.org_id as scope_id, c.project_id, null::uuid as parent_id, c.created_by as author_id,
    case when c.direction = 'inbound' and c.provider <> 'browser' then c.from_number else c.to_number end as title,
    concat_ws(E'\n', c.summary, c.from_number, c.to_number) as body, c.started_at as updated_at, null::text as text_key
  from calls c;
