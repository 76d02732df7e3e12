-- Projects, their canvas, and everything that hangs on it.

create table projects (
  org_id uuid not null references organizations,
  id uuid not null,
  -- The primary workspace; project_workspaces has it too, beside those the project is shared into.
  workspace_id uuid not null,
  user_id uuid not null references users,
  name text not null,
  -- Made from the first name, and kept when the name changes, so that addresses stay good.
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
  -- The number of the latest change of the canvas. Whoever changes the canvas holds this row, so that numbers appear in order.
  change_seq bigint not null default 0,
  -- What is written on the canvas, which is read as a whole: there is an end to it.
  canvas_bytes bigint not null default 0,
  changed_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (org_id, id),
  foreign key (org_id, workspace_id) references workspaces (org_id, id)
) with (fillfactor = 80);
create unique index projects_slug on projects (org_id, slug);
-- Ids are made in the order of time, so the newest are the last.
create index projects_team on projects (org_id, id desc) where deleted_at is null and visibility = 'team';
create index projects_private on projects (org_id, user_id, id desc) where deleted_at is null and visibility = 'private';
create index projects_status on projects (org_id, status, id desc) where deleted_at is null;
create index projects_trash on projects (org_id, deleted_at desc, id desc) where deleted_at is not null;
create index projects_search on projects using gin (org_id, name_grams(search_key)) where deleted_at is null;
create index projects_tags on projects using gin (org_id, tags) where deleted_at is null;

-- Where a project is at home and shared into.
create table project_workspaces (
  org_id uuid not null,
  project_id uuid not null,
  workspace_id uuid not null,
  -- Whether the members of the workspace see it there: it is neither private nor deleted. Kept here for the sake of the list.
  listed boolean not null,
  created_at timestamptz(3) not null,
  primary key (org_id, project_id, workspace_id),
  foreign key (org_id, project_id) references projects,
  foreign key (org_id, workspace_id) references workspaces (org_id, id)
);
create index project_workspaces_list on project_workspaces (org_id, workspace_id, project_id desc) where listed;

-- What somebody may do with a project: 'edit', 'view' or nothing. The one place where this is decided; it does not look
-- at whether the project is deleted, which is for the query to say.
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

-- The same for what is in the folder of a project; where there is no project, everybody of the organization may edit.
create function project_files_access(org uuid, project uuid, who uuid, org_role text) returns text
language sql stable as $$
  select case when project is null then 'edit' else (
    select project_access(p, who, org_role) from projects p
    where p.org_id = org and p.id = project and p.deleted_at is null)
  end
$$;

-- The topmost folder of a project, found without reading it; all its folders, and those of none; the trash, without what is restored with its project, and that of one
-- folder; files by their content, so that a manifest finds the bytes it names.
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

-- Work on a project that belongs together: what an agent does, from its start to its end.
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
  -- When what it did to the canvas was taken back.
  restored_at timestamptz(3),
  primary key (org_id, id),
  foreign key (org_id, project_id) references projects
);
create index runs_project on runs (org_id, project_id, id desc);

-- A block belongs to its project even in its key: a block of the same id may be in another.
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
  -- Null for a guest who came by a share link.
  created_by uuid references users,
  run_id uuid,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (org_id, project_id, id),
  foreign key (org_id, project_id) references projects,
  foreign key (org_id, project_id, parent_id) references blocks deferrable initially deferred
) with (fillfactor = 70); -- Blocks are moved more than anything else: room beside a row lets its next version be near.
create index blocks_parent on blocks (org_id, project_id, parent_id) where parent_id is not null;

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

-- Every change of the canvas, in order: what history shows, what restoring reads backwards, and what open dashboards
-- are told. An update has only the fields that changed, a creation only `after`, a deletion only `before`. It refers to
-- its project and people without foreign keys: they are never removed, and checking a thousand rows took more than half
-- of the time of writing them.
create table canvas_changes (
  org_id uuid not null,
  project_id uuid not null,
  seq bigint not null,
  entity text not null check (entity in ('block', 'edge')),
  item_id uuid not null,
  action text not null check (action in ('created', 'updated', 'moved', 'deleted')),
  before jsonb,
  after jsonb,
  -- Who, unless a guest; and in which run.
  user_id uuid,
  run_id uuid,
  created_at timestamptz(3) not null,
  primary key (org_id, project_id, seq)
);
create index canvas_changes_item on canvas_changes (org_id, project_id, item_id, seq desc);
create index canvas_changes_run on canvas_changes (org_id, project_id, run_id, seq) where run_id is not null;

-- A place in that order to come back to.
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

-- The link by which anybody may look at a canvas, or work on it; at most one per project.
create table project_shares (
  org_id uuid not null,
  project_id uuid not null,
  id uuid not null,
  token_hash bytea not null,
  access text not null check (access in ('view', 'comment', 'edit')),
  password_hash text,
  expires_at timestamptz(3),
  -- Changes with the token and the password: whoever came in before has to come in again.
  version integer not null default 1,
  created_by uuid not null references users,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (org_id, project_id),
  foreign key (org_id, project_id) references projects
);
create unique index project_shares_token on project_shares (token_hash);
create unique index project_shares_id on project_shares (id);

-- The link by which people join the primary workspace of a project; at most one per project and invited address.
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
