-- One row per hour and tool of the MCP server: the number of calls by clients.
create table mcp_calls (
  org_id uuid not null references organizations,
  hour timestamptz(3) not null,
  tool text not null,
  calls int not null,
  failed int not null,
  -- The names that clients report; ten at most.
  clients text[] not null,
  last_at timestamptz(3) not null,
  primary key (org_id, hour, tool)
);
create index mcp_calls_hour on mcp_calls (hour);
