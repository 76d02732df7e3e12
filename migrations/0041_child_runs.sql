-- A tool call starts at most one child run, even if it is repeated after a crash.
create unique index runs_call on runs (org_id, parent_run_id, parent_step, parent_ordinal) where parent_step is not null;

-- The parent run, for the session of a child run. Lists omit such a session: users open it from the parent run.
alter table agent_sessions add parent_run_id uuid;
