-- Connectors that organizations add, and the one request at a time that changes something with a connection.

create table custom_connectors (
  org_id uuid not null references organizations,
  slug text not null,
  -- As admins send it, without what the columns have.
  definition jsonb not null,
  version integer not null default 1,
  created_by uuid not null references users,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- The slug stays taken, so that connections never go to the host of another connector.
  deleted_at timestamptz(3),
  primary key (org_id, slug)
);

-- The row of a process that died is taken over.
create table connection_writers (
  org_id uuid not null,
  connection_id uuid not null,
  lease uuid not null,
  until timestamptz(3) not null,
  primary key (org_id, connection_id),
  foreign key (org_id, connection_id) references connections on delete cascade
);

-- The calls of a run are deleted with its events.
create index connection_calls_of_run on connection_calls (org_id, run_id);
