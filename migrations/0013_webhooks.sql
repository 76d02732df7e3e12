-- Webhooks, the events that pass through, and every attempt to deliver them.

-- A UUIDv7, for rows whose number is known only inside the statement that makes them.
create function new_id(at timestamptz) returns uuid language sql volatile as $$
  select encode(set_byte(bytes, 6, (get_byte(bytes, 6) & 15) | 112), 'hex')::uuid
  from (
    select overlay(uuid_send(gen_random_uuid())
      placing substring(int8send((extract(epoch from at) * 1000)::bigint) from 3) from 1 for 6) as bytes
  ) made
$$;

-- Whether an allowlist lets a type through: a name, the beginning of one as in `project.*`, or `*`. Empty is all.
create function event_matches(events text[], type text) returns boolean language sql immutable parallel safe as $$
  select cardinality(events) = 0 or type = any(events) or '*' = any(events)
    or exists (select from unnest(events) entry where entry like '%.*' and starts_with(type, left(entry, -1)))
$$;

create table webhooks (
  org_id uuid not null references organizations,
  id uuid not null,
  name text not null,
  -- Null: nothing is forwarded.
  url text,
  source text not null,
  description text,
  events text[] not null default '{}',
  status text not null default 'active' check (status in ('active', 'paused', 'disabled')),
  disabled_reason text,
  -- Encrypted for signing, hashed for recognising a secret that is presented.
  secret_sealed text not null,
  secret_hash bytea not null,
  previous_secret_sealed text,
  previous_secret_hash bytea,
  previous_secret_until timestamptz(3),
  delivery_count bigint not null default 0,
  last_delivery_at timestamptz(3),
  -- Since when nothing has got through; null while it does.
  failing_since timestamptz(3),
  -- Changes with everything that receiving and delivering depend on, and with nothing else.
  version integer not null default 1,
  created_by uuid not null references users,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (org_id, id)
);
-- The receive address names nothing but the webhook.
create unique index webhooks_id on webhooks (id);
create index webhooks_list on webhooks (org_id, created_at desc, id desc);
create index webhooks_source on webhooks (source) where source = 'linear';

-- Everything that was received and everything that happened here, in one log.
create table events (
  org_id uuid not null references organizations,
  id uuid not null,
  -- Who received it; null for what happened here. Kept when the webhook is deleted.
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
  -- The transaction that recorded it: whoever follows the log tells by it what was committed since they looked.
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

-- Which event of a sender was seen, for a week.
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

create table deliveries (
  org_id uuid not null,
  id uuid not null,
  event_id uuid not null,
  webhook_id uuid not null,
  url text not null,
  status text not null check (status in ('pending', 'succeeded', 'retrying', 'failed', 'held', 'canceled')),
  attempt integer not null default 0,
  -- When it is anybody's to attempt. Whoever takes it in hand pushes this ahead, so that it is taken up again if they die.
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
-- What is still to be done, by webhook, so that one that hangs is passed by.
create index deliveries_open on deliveries (webhook_id, next_attempt_at) where status in ('pending', 'retrying');
create index deliveries_event on deliveries (org_id, event_id);
create index deliveries_webhook on deliveries (org_id, webhook_id, event_id desc);
create index deliveries_status on deliveries (org_id, webhook_id, status, id desc);

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
