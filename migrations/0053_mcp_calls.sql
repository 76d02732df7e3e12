-- How often clients called the tools of the MCP server, by hour.
create table mcp_calls (
  org_id uuid not null references organizations,
  hour timestamptz(3) not null,
  tool text not null,
  calls int not null,
  failed int not null,
  -- The names that clients give themselves; ten at most.
  clients text[] not null,
  last_at timestamptz(3) not null,
  primary key (org_id, hour, tool)
);
create index mcp_calls_hour on mcp_calls (hour);
