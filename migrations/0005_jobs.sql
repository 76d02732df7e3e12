-- Which processes run jobs, so that the jobs of one that was killed are taken over soon. The jobs themselves are in
-- the schema graphile_worker, which its library keeps.

create table job_processes (
  id uuid primary key,
  worker_ids text[] not null,
  seen_at timestamptz(3) not null
);
