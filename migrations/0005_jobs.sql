-- One row per process that runs jobs; `seen_at` is its last heartbeat. The jobs of a process without a heartbeat are
-- released. The jobs themselves are in the schema graphile_worker, which the library graphile-worker maintains.

create table job_processes (
  id uuid primary key,
  worker_ids text[] not null,
  seen_at timestamptz(3) not null
);
