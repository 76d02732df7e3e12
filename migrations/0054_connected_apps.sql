-- Connected apps: programs that call the MCP server with the rights of a member, by OAuth.

-- One row per client that used dynamic registration. A client whose id is a URL has no row: the server fetches its
-- metadata document.
create table oauth_clients (
  id uuid primary key,
  name text not null,
  redirect_uris text[] not null,
  auth_method text not null check (auth_method in ('none', 'client_secret_post', 'client_secret_basic')),
  secret_hash bytea,
  address text not null,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3) not null,
  check ((auth_method = 'none') = (secret_hash is null))
);
create index oauth_clients_unused on oauth_clients (last_used_at);

-- One row per connected app: the grant of a member.
create table app_grants (
  org_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  -- A URL, or the id of a row of `oauth_clients`, which may have been deleted.
  client_id text not null,
  client_name text not null,
  client_host text not null,
  access text not null check (access in ('read', 'write')),
  redirect_uri text not null,
  challenge text not null,
  code_hash bytea not null,
  code_expires_at timestamptz(3) not null,
  -- When the code was exchanged. The row keeps the code, so that a second use of it revokes the grant.
  code_used_at timestamptz(3),
  -- The session that approved the app. The code cannot be exchanged after this session has ended.
  session_id uuid references sessions (id) on delete set null,
  -- When the last refresh token expires.
  refresh_until timestamptz(3),
  -- The time that the member chose; null for a grant that lasts as long as it is used.
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  revoked_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (org_id, id),
  foreign key (org_id, user_id) references memberships (org_id, user_id) on delete cascade
);
create unique index app_grants_code on app_grants (code_hash);
create index app_grants_owner on app_grants (org_id, user_id, id desc) where revoked_at is null;
create index app_grants_user on app_grants (user_id) where revoked_at is null;
create index app_grants_client on app_grants (client_id) where revoked_at is null;
create index app_grants_session on app_grants (session_id) where session_id is not null;

-- One row per token of a connected app.
create table app_tokens (
  org_id uuid not null,
  grant_id uuid not null,
  hash bytea not null,
  kind text not null check (kind in ('access', 'refresh')),
  expires_at timestamptz(3) not null,
  -- For a refresh token: when it was exchanged, and the tokens that were issued for it, encrypted.
  used_at timestamptz(3),
  successor text,
  created_at timestamptz(3) not null,
  primary key (org_id, grant_id, hash),
  foreign key (org_id, grant_id) references app_grants (org_id, id) on delete cascade
);
create unique index app_tokens_hash on app_tokens (hash);
create index app_tokens_expiry on app_tokens (expires_at);
create index app_tokens_sealed on app_tokens (used_at) where successor is not null;

alter table audit drop constraint audit_via_check;
alter table audit add constraint audit_via_check check (via in ('session', 'key', 'system', 'run', 'app'));
