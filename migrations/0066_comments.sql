-- One row per comment on a block, a file or a run. Threads have one level.

create table comments (
  org_id uuid not null references organizations,
  id uuid not null,
  target_type text not null check (target_type in ('block', 'file', 'run')),
  target_id uuid not null,
  -- The project of a block or a run. A file may move between projects, so its project is read from its folder.
  project_id uuid,
  -- The first comment of the thread; null for the first comment itself.
  parent_id uuid,
  -- The author; null for a guest, who entered `guest_name`.
  author_id uuid references users,
  guest_name text,
  body text not null,
  mentions uuid[] not null default '{}',
  resolved_at timestamptz(3),
  resolved_by uuid references users,
  edited_at timestamptz(3),
  -- Set for the first comment of a thread that was deleted while it had replies.
  deleted_at timestamptz(3),
  created_at timestamptz(3) not null,
  file_id uuid generated always as (case when target_type = 'file' then target_id end) stored,
  primary key (org_id, id),
  foreign key (org_id, project_id) references projects,
  foreign key (org_id, parent_id) references comments on delete cascade,
  -- A purge of a file deletes its comments. A deleted block can be restored from the history of its canvas: a job
  -- deletes the comments of blocks that can no longer be restored.
  foreign key (org_id, file_id) references files on delete cascade,
  check ((author_id is null) = (guest_name is not null)),
  check ((target_type = 'file') = (project_id is null)),
  check (parent_id is null or resolved_at is null)
);
create index comments_threads on comments (org_id, target_type, target_id, id) where parent_id is null;
create index comments_replies on comments (org_id, parent_id, id) where parent_id is not null;
create index comments_target on comments (org_id, target_type, target_id);
create index comments_file on comments (org_id, file_id) where file_id is not null;
create index comments_project on comments (org_id, project_id) where project_id is not null;
-- Finds the open threads of a canvas without reading their rows.
create index comments_open on comments (org_id, project_id, target_id)
  where target_type = 'block' and parent_id is null and resolved_at is null;
-- A request for the comments of a block contains the id of the block, and not that of its project.
create index blocks_id on blocks (org_id, id);
