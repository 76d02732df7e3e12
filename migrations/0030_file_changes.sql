-- One row per change of a file by a run, for lists and undo. Deleted 30 days after the run ended.
create table file_changes (
  org_id uuid not null,
  run_id uuid not null,
  seq bigint not null generated always as identity,
  file_id uuid not null,
  -- The file before and after the change: name, folder, tags, content, and whether it was in the trash. `before` is
  -- null for a new file.
  before jsonb,
  after jsonb not null,
  -- The file in the trash that has the content from before the change, if the change replaced the content. It counts
  -- against the quotas like every file in the trash. Since 0074, the row of `file_versions` instead.
  former_id uuid,
  created_at timestamptz(3) not null,
  primary key (org_id, run_id, seq),
  foreign key (org_id, run_id) references runs
);
create index file_changes_file on file_changes (org_id, file_id, seq);
create index file_changes_former on file_changes (org_id, former_id) where former_id is not null;
create index file_changes_age on file_changes (created_at);

alter table runs
  -- The run whose changes this run undid or restored.
  add undo_of uuid,
  -- When the rows of the run in `file_changes` were deleted.
  add released_at timestamptz(3);
create index runs_undo on runs (org_id, undo_of, id desc) where undo_of is not null;

-- A run can change the canvases of several projects.
drop index canvas_changes_run;
create index canvas_changes_run on canvas_changes (org_id, run_id, project_id, seq) where run_id is not null;
