-- Webhooks, the event log, and deliveries with their attempts.

-- Returns a new UUIDv7 with the time `at`, for statements that compute how many rows they insert.
create function new_id(at timestamptz) returns uuid language sql volatile as $$
  select encode(set_byte(bytes, 6, (get_byte(bytes, 6) & 15) | 112), 'hex')::uuid
  from (
    select overlay(uuid_send(gen_random_uuid())
      placing substring(int8send((extract(epoch from at) * 1000)::bigint) from 3) from 1 for 6) as bytes
  ) made
$$;

-- Returns whether a list of event types includes a type. An entry is a type, a prefix such as `project.*`, or `*`. An
-- empty list includes every type.
create function event_matches(events text[], type text) returns boolean language sql immutable parallel safe as $$
  select cardinality(events) = 0 or type = any(events) or '*' = any(events)
    or exists (select from unnest(events) entry where entry like '%.*' and starts_with(type, left(entry, -1)))
$$;

-- One row per webhook: a receiver, an endpoint that events are delivered to, or both.
create table webhooks (
  org_id uuid not null references organizations,
  id uuid not null,
  name text not null,
  -- The URL that events are delivered to; null for a webhook that only receives.
  url text,
  source text not null,
  description text,
  events text[] not null default '{}',
  status text not null default 'active' check (status in ('active', 'paused', 'disabled')),
  disabled_reason text,
  -- The secret, encrypted for signing, and hashed for comparison with a secret that a sender presents.
  secret_sealed text not null,
  secret_hash bytea not null,
  previous_secret_sealed text,
  previous_secret_hash bytea,
  previous_secret_until timestamptz(3),
  delivery_count bigint not null default 0,
  last_delivery_at timestamptz(3),
  -- The time of the first failed attempt after the last successful one; null while attempts succeed.
  failing_since timestamptz(3),
  -- Changes with the settings that receiving and delivering depend on, and with nothing else.
  version integer not null default 1,
  created_by uuid not null references users,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (org_id, id)
);
-- The receive URL contains the id of the webhook, and not that of the organization.
create unique index webhooks_id on webhooks (id);
create index webhooks_list on webhooks (org_id, created_at desc, id desc);
create index webhooks_source on webhooks (source) where source = 'linear';

-- One row per event: a received request, or a change in Atrium.
create table events (
  org_id uuid not null references organizations,
  id uuid not null,
  -- The webhook that received the event, or that a test event is for; null for other events of Atrium. Stays when the
  -- webhook is deleted.
  webhook_id uuid,
  direction text not null check (direction in ('inbound', 'internal')),
  type text not null,
  source text not null,
  external_id text,
  status text not null check (status in ('received', 'filtered', 'held', 'delivered', 'failed', 'rejected')),
  verification jsonb,
  payload jsonb,
  headers jsonb not null default '{}',
  received_at timestamptz(3) not null,
  -- The transaction that inserted the event. Subscribers of the log find with it the events that were committed since
  -- their last read.
  recorded_in xid8 not null default pg_current_xact_id(),
  primary key (org_id, id)
);
create index events_webhook on events (org_id, webhook_id, id desc) where webhook_id is not null;
create index events_type on events (org_id, type text_pattern_ops, id desc);
create index events_status on events (org_id, status, id desc);
create index events_external on events (org_id, external_id) where external_id is not null;
create index events_direction on events (org_id, direction, id desc);
create index events_age on events (received_at);
create index events_recent on events (org_id, recorded_in, id);

-- One row per event of a sender that a webhook has received in the last week, for deduplication.
create table webhook_seen (
  org_id uuid not null,
  webhook_id uuid not null,
  external_id text not null,
  event_id uuid not null,
  seen_at timestamptz(3) not null,
  primary key (org_id, webhook_id, external_id),
  foreign key (org_id, webhook_id) references webhooks on delete cascade
);
create index webhook_seen_age on webhook_seen (seen_at);

-- One row per delivery: one event for one webhook.
create table deliveries (
  org_id uuid not null,
  id uuid not null,
  event_id uuid not null,
  webhook_id uuid not null,
  url text not null,
  status text not null check (status in ('pending', 'succeeded', 'retrying', 'failed', 'held', 'canceled')),
  attempt integer not null default 0,
  -- When the next attempt is due. A worker that claims the delivery sets it to the end of its lease, so that the
  -- delivery is due again if the worker dies.
  next_attempt_at timestamptz(3),
  trigger text not null check (trigger in ('scheduled', 'manual', 'test')),
  response jsonb,
  error text,
  duration_ms integer,
  created_at timestamptz(3) not null,
  completed_at timestamptz(3),
  primary key (org_id, id),
  foreign key (org_id, event_id) references events on delete cascade,
  foreign key (org_id, webhook_id) references webhooks on delete cascade
) with (fillfactor = 80);
-- Unfinished deliveries by webhook, so that a webhook that responds slowly does not delay the others.
create index deliveries_open on deliveries (webhook_id, next_attempt_at) where status in ('pending', 'retrying');
create index deliveries_event on deliveries (org_id, event_id);
create index deliveries_webhook on deliveries (org_id, webhook_id, event_id desc);
create index deliveries_status on deliveries (org_id, webhook_id, status, id desc);

-- One row per attempt: one request of a delivery.
create table delivery_attempts (
  org_id uuid not null,
  delivery_id uuid not null,
  attempt integer not null,
  webhook_id uuid not null,
  succeeded boolean not null,
  started_at timestamptz(3) not null,
  duration_ms integer not null,
  request jsonb not null,
  response jsonb,
  error text,
  primary key (org_id, delivery_id, attempt),
  foreign key (org_id, delivery_id) references deliveries on delete cascade
);
create index delivery_attempts_recent on delivery_attempts (org_id, webhook_id, started_at desc) include (succeeded);
