-- Users, organizations, workspaces, memberships, sessions and the audit log.
-- Every id is a UUIDv7 that the application generates; every tenant table begins with org_id.

-- One row per user: a person with an account.
create table users (
  id uuid primary key,
  email text not null,
  name text not null,
  password_hash text,
  email_verified_at timestamptz(3),
  is_operator boolean not null default false,
  settings jsonb not null default '{}',
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create unique index users_email on users (lower(email));

-- One row per organization: a tenant, which owns all its data.
create table organizations (
  id uuid primary key,
  name text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);

-- One row per workspace: a group of members inside an organization.
create table workspaces (
  org_id uuid not null references organizations,
  id uuid not null,
  name text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (org_id, id)
);

-- One row per member: a user in an organization.
create table memberships (
  org_id uuid not null references organizations,
  user_id uuid not null references users,
  role text not null check (role in ('owner', 'admin', 'member')),
  default_workspace_id uuid,
  created_at timestamptz(3) not null,
  primary key (org_id, user_id),
  foreign key (org_id, default_workspace_id) references workspaces (org_id, id)
);
create index memberships_user on memberships (user_id);

-- One row per member of a workspace.
create table workspace_members (
  org_id uuid not null,
  workspace_id uuid not null,
  user_id uuid not null,
  role text not null check (role in ('viewer', 'editor', 'admin')),
  created_at timestamptz(3) not null,
  primary key (org_id, workspace_id, user_id),
  foreign key (org_id, workspace_id) references workspaces (org_id, id),
  foreign key (org_id, user_id) references memberships (org_id, user_id) on delete cascade
);
create index workspace_members_user on workspace_members (org_id, user_id);

-- One row per session of a browser. `address` is the IP address.
create table sessions (
  id uuid primary key,
  token_hash bytea not null,
  user_id uuid not null references users on delete cascade,
  org_id uuid not null,
  workspace_id uuid,
  step_up_until timestamptz(3),
  address text not null,
  user_agent text,
  created_at timestamptz(3) not null,
  last_seen_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  foreign key (org_id, user_id) references memberships (org_id, user_id) on delete cascade
);
create unique index sessions_token on sessions (token_hash);
create index sessions_user on sessions (user_id);
create index sessions_expiry on sessions (expires_at);

-- One row per setup link, which creates the first owner. All rows are deleted when one link is used.
create table setup_links (
  token_hash bytea primary key,
  expires_at timestamptz(3) not null
);

-- One row per audit entry: a security-relevant action, its user, the kind of credential (`via`) and the IP address.
create table audit (
  org_id uuid not null references organizations,
  id uuid not null,
  user_id uuid references users on delete set null,
  via text not null check (via in ('session', 'key', 'system')),
  action text not null,
  target text,
  address text,
  details jsonb not null default '{}',
  created_at timestamptz(3) not null,
  primary key (org_id, id)
);
