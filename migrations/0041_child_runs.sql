-- A call of a run starts at most one child run, whatever happens between its start and its end.
create unique index runs_call on runs (org_id, parent_run_id, parent_step, parent_ordinal) where parent_step is not null;

-- The conversation of a child run, which lists leave out: people read it through the run that started it.
alter table agent_sessions add parent_run_id uuid;
