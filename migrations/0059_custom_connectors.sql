-- Connectors that organizations add, and the leases of requests that write with a connection.

-- One row per connector of an organization.
create table custom_connectors (
  org_id uuid not null references organizations,
  slug text not null,
  -- The definition that an admin sent, without the fields that are columns.
  definition jsonb not null,
  version integer not null default 1,
  created_by uuid not null references users,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- When the connector was deleted. The slug cannot be used again, so that a connection never sends requests to the
  -- host of another connector.
  deleted_at timestamptz(3),
  primary key (org_id, slug)
);

-- One row per connection that a request writes with: only one such request runs at a time. Another process may replace
-- the lease after `until`, if its process died.
create table connection_writers (
  org_id uuid not null,
  connection_id uuid not null,
  lease uuid not null,
  until timestamptz(3) not null,
  primary key (org_id, connection_id),
  foreign key (org_id, connection_id) references connections on delete cascade
);

-- For retention: the calls of a run are deleted with its events.
create index connection_calls_of_run on connection_calls (org_id, run_id);
