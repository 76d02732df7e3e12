-- The trace that inserted the row (a W3C traceparent), so that the process which handles the row later continues the
-- trace. Null while tracing is off.
alter table events add column trace text;
alter table connector_events add column trace text;
alter table connector_replies add column trace text;
alter table runs add column trace text;

-- One row per process of the installation. Each process updates `seen_at` every few seconds; a row that is no longer
-- updated belongs to a process that was killed. Unlogged: a crash of the database empties the table, and the processes
-- insert their rows again.
create unlogged table server_processes (
  id uuid primary key,
  role text not null,
  version text not null,
  host text not null,
  pid int not null,
  started_at timestamptz not null,
  seen_at timestamptz not null,
  -- Memory, CPU, connections and the requests of the last minutes: see server/processes.
  figures jsonb not null
);
