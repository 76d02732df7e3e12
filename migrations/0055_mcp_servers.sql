-- MCP servers of other systems, whose tools agents can use.

-- One row per MCP server.
create table mcp_servers (
  org_id uuid not null references organizations,
  id uuid not null,
  name text not null,
  -- The part of tool names that identifies the server. Never changes.
  slug text not null,
  url text not null,
  auth text not null check (auth in ('none', 'header', 'oauth')),
  header_name text,
  -- Encrypted: the value of the header, the secret of the OAuth client, the OAuth tokens.
  header_sealed text,
  header_last_four text,
  client_secret_sealed text,
  tokens_sealed text,
  -- The client id, whether it was registered, and the metadata of the authorization server.
  oauth jsonb not null default '{}',
  tokens_expire_at timestamptz(3),
  signed_in_by uuid references users,
  signed_in_at timestamptz(3),
  needs_sign_in boolean not null default false,
  -- The end of the lease of the process that refreshes the tokens; other processes wait.
  refreshing_until timestamptz(3),
  enabled boolean not null default true,
  trusted boolean not null,
  approvals jsonb not null,
  -- The result of the last connection.
  checked_at timestamptz(3),
  latency_ms integer,
  failing_since timestamptz(3),
  problem text,
  implementation jsonb,
  version integer not null default 1,
  created_by uuid not null references users,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (org_id, id),
  unique (org_id, slug)
);
create unique index mcp_servers_name on mcp_servers (org_id, lower(name));

-- One row per tool that an admin has accepted or that the server lists.
create table mcp_tools (
  org_id uuid not null,
  server_id uuid not null,
  name text not null,
  call_name text not null,
  allowed boolean not null default false,
  -- The definition that an admin accepted; null if none was accepted.
  accepted jsonb,
  accepted_hash text,
  accepted_by uuid references users,
  accepted_at timestamptz(3),
  -- The definition that the server lists; null if the server does not list the tool.
  listed jsonb,
  listed_hash text,
  -- Why agents cannot use the listed definition.
  problem text,
  primary key (org_id, server_id, name),
  unique (org_id, call_name),
  foreign key (org_id, server_id) references mcp_servers on delete cascade
);

-- Finds the last calls of the tools of a server. The second part of a tool name is the slug, which has no underscore.
create index run_calls_mcp on run_calls (org_id, split_part(tool, '_', 2), started_at desc) where tool like 'mcp\_%';
