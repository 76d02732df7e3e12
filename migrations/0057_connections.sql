-- Connections of members to other services, and the OAuth clients of organizations at these services.

-- One row per OAuth client that an organization set for a connector.
create table connector_clients (
  org_id uuid not null references organizations,
  slug text not null,
  client_id text not null,
  -- The client secret, encrypted.
  secret_sealed text not null,
  set_by uuid not null references users,
  updated_at timestamptz(3) not null,
  primary key (org_id, slug)
);

-- One row per connection of a member to an account at a service.
create table connections (
  org_id uuid not null references organizations,
  id uuid not null,
  user_id uuid not null references users,
  connector_slug text not null,
  label text,
  status text not null check (status in ('pending', 'active', 'expired', 'error', 'failed', 'revoked')),
  status_reason text,
  account jsonb,
  -- `config` has the values that the member entered before the authorization; `kept` has the values that the
  -- authorization or the check of the connection returned.
  config jsonb not null default '{}',
  kept jsonb not null default '{}',
  scopes text[] not null default '{}',
  missing_scopes text[] not null default '{}',
  -- The OAuth client to which the tokens were issued.
  client_id text,
  shared text not null default 'none' check (shared in ('none', 'project', 'org')),
  shared_project_id uuid,
  -- When a pending connection fails if it has not been completed.
  pending_until timestamptz(3),
  expires_at timestamptz(3),
  refresh_due_at timestamptz(3),
  refresh_failures integer not null default 0,
  -- `refreshing_until` is the end of the lease of the process that refreshes the tokens; other processes wait.
  -- `generation` grows with every new pair of tokens.
  refreshing_until timestamptz(3),
  generation integer not null default 0,
  last_used_at timestamptz(3),
  last_refresh_at timestamptz(3),
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (org_id, id),
  check ((shared = 'project') = (shared_project_id is not null))
);
create index connections_of_user on connections (org_id, user_id, created_at desc, id desc) where deleted_at is null;
create index connections_shared on connections (org_id, shared) where deleted_at is null and shared <> 'none';
create index connections_due on connections (refresh_due_at) where refresh_due_at is not null;
create index connections_pending on connections (pending_until) where status = 'pending';

-- One row per connection: its secrets. Only requests to the provider read them, and no list does.
create table connection_secrets (
  org_id uuid not null,
  connection_id uuid not null,
  -- The credentials or the tokens, encrypted.
  sealed text not null,
  -- The tokens before the last refresh. The server tries them once if the provider refuses the current ones.
  previous_sealed text,
  previous_until timestamptz(3),
  primary key (org_id, connection_id),
  foreign key (org_id, connection_id) references connections on delete cascade
);

-- One row per call of a run with a connection, without secrets.
create table connection_calls (
  org_id uuid not null,
  id uuid not null,
  connection_id uuid not null,
  run_id uuid not null,
  tool text not null,
  status text not null check (status in ('succeeded', 'failed')),
  http_status integer,
  error_code text,
  request jsonb not null,
  answer jsonb,
  attempts integer not null,
  started_at timestamptz(3) not null,
  duration_ms integer not null,
  primary key (org_id, id),
  foreign key (org_id, connection_id) references connections on delete cascade
);
create index connection_calls_newest on connection_calls (org_id, connection_id, started_at desc, id desc);
