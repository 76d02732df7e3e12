-- How much the installation's queues held, and how long their oldest work had been due: one row per minute of the
-- installation, kept for a day. Unlogged: a crash of the database may lose a day's chart.
create unlogged table health_samples (
  at timestamptz(3) primary key,
  waiting int not null,
  lag_s real not null
);
