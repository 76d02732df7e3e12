-- Projects with their canvases, runs, share links and invites.

-- One row per project.
create table projects (
  org_id uuid not null references organizations,
  id uuid not null,
  -- The primary workspace. `project_workspaces` has a row for it and for each workspace that the project is shared
  -- into.
  workspace_id uuid not null,
  user_id uuid not null references users,
  name text not null,
  -- Derived from the first name; stays the same when the name changes, so that URLs remain valid.
  slug text not null,
  search_key text not null,
  description text,
  prompt text,
  emoji text,
  visibility text not null check (visibility in ('team', 'private')),
  status text not null default 'active' check (status in ('active', 'archived', 'completed')),
  tags text[] not null default '{}',
  metadata jsonb not null default '{}',
  spend numeric(20, 6) not null default 0,
  version integer not null default 1,
  -- The number of the latest change of the canvas. Every write of the canvas locks this row, so that numbers become
  -- visible in order.
  change_seq bigint not null default 0,
  -- The size of the canvas content in bytes. It is limited, because a canvas is read as a whole.
  canvas_bytes bigint not null default 0,
  changed_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (org_id, id),
  foreign key (org_id, workspace_id) references workspaces (org_id, id)
) with (fillfactor = 80);
create unique index projects_slug on projects (org_id, slug);
-- Ids are UUIDv7, so the newest projects have the highest ids.
create index projects_team on projects (org_id, id desc) where deleted_at is null and visibility = 'team';
create index projects_private on projects (org_id, user_id, id desc) where deleted_at is null and visibility = 'private';
create index projects_status on projects (org_id, status, id desc) where deleted_at is null;
create index projects_trash on projects (org_id, deleted_at desc, id desc) where deleted_at is not null;
create index projects_search on projects using gin (org_id, name_grams(search_key)) where deleted_at is null;
create index projects_tags on projects using gin (org_id, tags) where deleted_at is null;

-- One row per project and workspace: the primary workspace, and those that the project is shared into.
create table project_workspaces (
  org_id uuid not null,
  project_id uuid not null,
  workspace_id uuid not null,
  -- Whether the project is in the list of the workspace: it is neither private nor deleted. A column, so that the index
  -- of the list can use it.
  listed boolean not null,
  created_at timestamptz(3) not null,
  primary key (org_id, project_id, workspace_id),
  foreign key (org_id, project_id) references projects,
  foreign key (org_id, workspace_id) references workspaces (org_id, id)
);
create index project_workspaces_list on project_workspaces (org_id, workspace_id, project_id desc) where listed;

-- Returns the access of a user to a project: 'edit', 'view' or null. Queries exclude deleted projects themselves.
-- `server/features/project-access` has the same rule in other forms.
create function project_access(p projects, who uuid, org_role text) returns text language sql stable as $$
  select case
    when p.visibility = 'private' then case when p.user_id = who then 'edit' end
    when org_role <> 'member' then 'edit'
    else (
      select case when bool_or(m.role <> 'viewer') then 'edit' when count(*) > 0 then 'view' end
      from project_workspaces l
      join workspace_members m on m.org_id = l.org_id and m.workspace_id = l.workspace_id and m.user_id = who
      join workspaces w on w.org_id = l.org_id and w.id = l.workspace_id and w.deleted_at is null
      where l.org_id = p.org_id and l.project_id = p.id)
  end
$$;

-- Returns the access of a user to the files of a project, null if the project is deleted. Without a project it returns
-- 'edit': every member may edit files outside of projects.
create function project_files_access(org uuid, project uuid, who uuid, org_role text) returns text
language sql stable as $$
  select case when project is null then 'edit' else (
    select project_access(p, who, org_role) from projects p
    where p.org_id = org and p.id = project and p.deleted_at is null)
  end
$$;

-- `folders_project` finds the topmost folder of a project without reading its row, `folders_of_project` all folders of
-- a project or of none. `files_trash` lists the trash and `files_trash_in` the trash of one folder, both without the
-- folders of deleted projects, which are restored with their project. `files_content` finds files by the content hashes
-- of a manifest.
drop index folders_project;
create unique index folders_project on folders (org_id, project_id) include (id)
  where project_id is not null and cardinality(path) = 2;
create index folders_of_project on folders (org_id, project_id);
drop index files_trash;
create index files_trash on files (org_id, deleted_at desc, id desc) include (parent_id)
  where deleted_at is not null and not protected;
create index files_trash_in on files (org_id, parent_id, deleted_at desc, id desc)
  where deleted_at is not null and not protected;
create index files_content on files (org_id, sha256) where status = 'ready' and sha256 is not null;

-- One row per run: the work of an agent on a project, or that of a program which reports it.
create table runs (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  title text,
  status text not null check (status in ('queued', 'running', 'succeeded', 'failed', 'canceled')),
  error text,
  cost numeric(20, 6) not null default 0,
  created_by uuid not null references users,
  created_at timestamptz(3) not null,
  started_at timestamptz(3),
  finished_at timestamptz(3),
  -- When the changes of the run were undone; null if they were not.
  restored_at timestamptz(3),
  primary key (org_id, id),
  foreign key (org_id, project_id) references projects
);
create index runs_project on runs (org_id, project_id, id desc);

-- One row per block. The primary key includes the project: blocks of two projects may have the same id.
create table blocks (
  org_id uuid not null,
  project_id uuid not null,
  id uuid not null,
  type text not null check (type in ('text', 'note', 'file', 'image', 'link', 'agent', 'task', 'group', 'embed')),
  x float8 not null,
  y float8 not null,
  width float8 not null,
  height float8 not null,
  rotation float8 not null default 0,
  z_index integer not null default 0,
  parent_id uuid,
  title text,
  content text,
  file_id uuid,
  color text,
  locked boolean not null default false,
  metadata jsonb not null default '{}',
  version integer not null default 1,
  -- Null if a guest created the block.
  created_by uuid references users,
  run_id uuid,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (org_id, project_id, id),
  foreign key (org_id, project_id) references projects,
  foreign key (org_id, project_id, parent_id) references blocks deferrable initially deferred
) with (fillfactor = 70); -- Blocks are moved more than anything else: room beside a row lets its next version be near.
create index blocks_parent on blocks (org_id, project_id, parent_id) where parent_id is not null;

-- One row per edge: a connection from one block to another.
create table edges (
  org_id uuid not null,
  project_id uuid not null,
  id uuid not null,
  from_block_id uuid not null,
  to_block_id uuid not null,
  label text,
  created_at timestamptz(3) not null,
  primary key (org_id, project_id, id),
  foreign key (org_id, project_id, from_block_id) references blocks deferrable initially deferred,
  foreign key (org_id, project_id, to_block_id) references blocks deferrable initially deferred,
  check (from_block_id <> to_block_id)
);
create index edges_from on edges (org_id, project_id, from_block_id);
create index edges_to on edges (org_id, project_id, to_block_id);

-- One row per change in the history of a canvas, in order: the history lists it, a restore applies it in reverse, and
-- event streams send it. An update has only the changed fields, a creation only `after`, a deletion only `before`.
-- There are no foreign keys to projects and users: checking them took more than half of the time of inserting a
-- thousand rows.
create table canvas_changes (
  org_id uuid not null,
  project_id uuid not null,
  seq bigint not null,
  entity text not null check (entity in ('block', 'edge')),
  item_id uuid not null,
  action text not null check (action in ('created', 'updated', 'moved', 'deleted')),
  before jsonb,
  after jsonb,
  -- The user who made the change, null for a guest; the run that made it, if any.
  user_id uuid,
  run_id uuid,
  created_at timestamptz(3) not null,
  primary key (org_id, project_id, seq)
);
create index canvas_changes_item on canvas_changes (org_id, project_id, item_id, seq desc);
create index canvas_changes_run on canvas_changes (org_id, project_id, run_id, seq) where run_id is not null;

-- One row per snapshot: a position in the history of a canvas, to which the canvas can be restored.
create table snapshots (
  org_id uuid not null,
  project_id uuid not null,
  id uuid not null,
  seq bigint not null,
  name text,
  reason text not null check (reason in ('manual', 'restore', 'run', 'history', 'snapshot')),
  created_by uuid references users,
  created_at timestamptz(3) not null,
  primary key (org_id, project_id, id),
  foreign key (org_id, project_id) references projects
);

-- One row per share link, with which guests view, comment on or edit a canvas; at most one per project.
create table project_shares (
  org_id uuid not null,
  project_id uuid not null,
  id uuid not null,
  token_hash bytea not null,
  access text not null check (access in ('view', 'comment', 'edit')),
  password_hash text,
  expires_at timestamptz(3),
  -- Changes with the token and the password, which invalidates the guest tokens of the earlier version.
  version integer not null default 1,
  created_by uuid not null references users,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (org_id, project_id),
  foreign key (org_id, project_id) references projects
);
create unique index project_shares_token on project_shares (token_hash);
create unique index project_shares_id on project_shares (id);

-- One row per invite link, with which users join the primary workspace of a project; at most one per project and
-- invited email address.
create table project_invites (
  org_id uuid not null,
  project_id uuid not null,
  id uuid not null,
  token_hash bytea not null,
  role text not null check (role in ('viewer', 'editor')),
  email text,
  expires_at timestamptz(3),
  max_uses integer,
  uses integer not null default 0,
  created_by uuid not null references users,
  created_at timestamptz(3) not null,
  primary key (org_id, id),
  foreign key (org_id, project_id) references projects
);
create unique index project_invites_token on project_invites (token_hash);
create unique index project_invites_one on project_invites (org_id, project_id, coalesce(email, ''));
