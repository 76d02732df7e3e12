-- The trace that caused the work of a row (a W3C traceparent), so that the process which continues it later continues the
-- trace. Null while tracing is off.
alter table events add column trace text;
alter table connector_events add column trace text;
alter table connector_replies add column trace text;
alter table runs add column trace text;

-- The processes of this installation. Each writes its row every few seconds; a row that is not written any more belongs to a
-- process that was killed. Not logged: a crash of the database empties it, and the processes write it again.
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
