-- An endpoint receives events of a provider and starts runs of an agent for them. A thread is one chat, issue or
-- customer: its events are handled in the order of their arrival, in one session.

-- One row per endpoint.
create table connector_endpoints (
  org_id uuid not null references organizations,
  id uuid not null,
  connection_id uuid not null,
  connector_slug text not null,
  name text not null,
  project_id uuid not null,
  agent_id uuid not null,
  -- The member with whose rights runs start. The rights are read again for each event.
  owner_id uuid not null references users,
  -- `paused`: events are received and held.
  status text not null default 'active' check (status in ('active', 'paused')),
  paused_reason text,
  -- The normalized keys of the events that are handled; empty for all events of the connector.
  events text[] not null default '{}',
  session_key text not null,
  reply text not null check (reply in ('auto', 'approve', 'off')),
  filter text,
  -- The source of the events that the member entered, such as a repository.
  fields jsonb not null default '{}',
  -- Encrypted: the generated secret, and the secret with which the provider signs if it is a different one.
  secret_sealed text not null,
  has_proof_secret boolean not null,
  -- The values that the registration at the provider returned, and cursors.
  kept jsonb not null default '{}',
  registration text not null check (registration in ('pending', 'registered', 'by_hand', 'failed')),
  registration_error text,
  registration_failures integer not null default 0,
  -- When the endpoint is registered again: after a failure, or before the registration expires.
  registration_due_at timestamptz(3),
  registered_at timestamptz(3),
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- When the endpoint was deleted. It receives nothing; a job unregisters it and deletes its rows.
  deleted_at timestamptz(3),
  primary key (org_id, id),
  foreign key (org_id, connection_id) references connections,
  foreign key (org_id, project_id) references projects,
  foreign key (org_id, agent_id) references agents
);
-- The URL of an endpoint contains its id, and not that of the organization.
create unique index connector_endpoints_id on connector_endpoints (id);
create index connector_endpoints_connection on connector_endpoints (org_id, connection_id);
create index connector_endpoints_project on connector_endpoints (org_id, project_id);
create index connector_endpoints_due on connector_endpoints (registration_due_at) where registration_due_at is not null;

-- The columns that receiving depends on. `version` grows with every change of the endpoint, and with every change of
-- the credentials of its connection, because some providers sign with them.
create view connector_receivers as
  select e.org_id, e.id, e.connection_id, e.connector_slug, e.version + c.generation as version, e.events, e.session_key,
    e.filter, e.fields, e.secret_sealed, e.has_proof_secret, c.kept || e.kept as kept, c.account
  from connector_endpoints e join connections c on c.org_id = e.org_id and c.id = e.connection_id
  where e.deleted_at is null and c.deleted_at is null;

-- One row per verified event of a provider, and per refused request.
create table connector_events (
  org_id uuid not null,
  endpoint_id uuid not null,
  id uuid not null,
  event_key text not null,
  external_id text not null,
  status text not null check (status in ('pending', 'running', 'succeeded', 'failed', 'ignored', 'rejected')),
  -- Why the event is ignored, rejected or failed.
  reason text,
  error text,
  attempts integer not null default 0,
  -- The deduplication key, if it differs from `external_id`.
  seen_key text,
  thread text,
  -- The normalized event; null for a refused request.
  record jsonb,
  -- The body of the request as it was received, and its headers without secrets. If one request has several events,
  -- only the first has them.
  body bytea,
  headers jsonb,
  session_id uuid,
  message_id uuid,
  run_id uuid,
  received_at timestamptz(3) not null,
  started_at timestamptz(3),
  finished_at timestamptz(3),
  primary key (org_id, endpoint_id, id)
);
create index connector_events_pending on connector_events (org_id, endpoint_id, thread, id) where status = 'pending';
create index connector_events_running on connector_events (org_id, run_id) where status = 'running';
create index connector_events_status on connector_events (org_id, endpoint_id, status, id desc);
create index connector_events_external on connector_events (org_id, endpoint_id, external_id);
create index connector_events_received on connector_events (received_at, id);
create trigger connector_events_deleted after delete on connector_events referencing old table as changed
  for each statement execute function count_deleted_events();

-- One row per received event, by its deduplication key: repeated events have the same key.
create table connector_seen (
  org_id uuid not null,
  endpoint_id uuid not null,
  external_id text not null,
  event_id uuid not null,
  seen_at timestamptz(3) not null,
  -- How often the provider sent the event again.
  duplicates integer not null default 0,
  primary key (org_id, endpoint_id, external_id)
);
create index connector_seen_old on connector_seen (seen_at);

-- One row per thread. It has a due time while events of the thread are pending. One worker at a time claims a thread.
create table connector_threads (
  org_id uuid not null,
  endpoint_id uuid not null,
  thread text not null,
  due_at timestamptz(3),
  lease integer not null default 0,
  failures integer not null default 0,
  changed_at timestamptz(3) not null,
  primary key (org_id, endpoint_id, thread)
);
create index connector_threads_due on connector_threads (org_id, endpoint_id, due_at) where due_at is not null;
create index connector_threads_old on connector_threads (changed_at) where due_at is null;

-- One row per endpoint: counters of its events. They are not in `connector_endpoints`, because every event locks the
-- row of its endpoint there.
create table connector_counts (
  org_id uuid not null,
  endpoint_id uuid not null,
  received bigint not null default 0,
  duplicates bigint not null default 0,
  ignored bigint not null default 0,
  rejected bigint not null default 0,
  succeeded bigint not null default 0,
  failed bigint not null default 0,
  last_received_at timestamptz(3),
  last_error text,
  last_error_at timestamptz(3),
  primary key (org_id, endpoint_id)
);

-- One row per run: its reply to the thread of its events.
create table connector_replies (
  org_id uuid not null,
  id uuid not null,
  endpoint_id uuid not null,
  event_id uuid not null,
  run_id uuid not null,
  -- `waiting`: a person decides about the reply. `unknown`: the reply may have been sent, and is not sent again.
  status text not null check (status in ('waiting', 'pending', 'sent', 'failed', 'unknown', 'rejected')),
  text text not null,
  -- The number of parts that the provider has accepted, and the part that is being sent.
  parts_sent integer not null default 0,
  sending_part integer,
  attempts integer not null default 0,
  error text,
  due_at timestamptz(3),
  lease integer not null default 0,
  decided_by uuid references users,
  decided_at timestamptz(3),
  created_at timestamptz(3) not null,
  sent_at timestamptz(3),
  primary key (org_id, id)
);
create unique index connector_replies_run on connector_replies (org_id, run_id);
create index connector_replies_of_event on connector_replies (org_id, endpoint_id, event_id);
create index connector_replies_status on connector_replies (org_id, status, id desc);
create index connector_replies_due on connector_replies (org_id, due_at) where due_at is not null;
