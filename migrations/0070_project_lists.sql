-- Sort orders of the list of projects, favourites, previews, templates and saved views.

-- `sort_key` is the normalized name, for sorting. `active_at` is the time of the last change of the project or of its
-- canvas. It lags by up to a minute, because it is part of indexes: without the lag, each change of a canvas would
-- write to all indexes of `projects`.
alter table projects
  add column sort_key text collate "C" not null default '',
  add column active_at timestamptz(3) not null default now();
alter table project_workspaces
  add column sort_key text collate "C" not null default '',
  add column active_at timestamptz(3) not null default now();

-- The folder of a project has the name of the project, and so its sort key.
update projects p set active_at = greatest(p.changed_at, p.updated_at), sort_key = coalesce((
  select f.sort_key from folders d join files f on f.org_id = d.org_id and f.id = d.id
  where d.org_id = p.org_id and d.project_id = p.id and cardinality(d.path) = 2), left(lower(p.name), 200));
update project_workspaces l set sort_key = p.sort_key, active_at = p.active_at
from projects p where p.org_id = l.org_id and p.id = l.project_id;

create function project_changed() returns trigger language plpgsql as $$
begin
  new.active_at := greatest(new.changed_at, new.updated_at);
  return new;
end $$;
create trigger projects_active before update on projects for each row
  when (greatest(new.changed_at, new.updated_at) >= old.active_at + interval '1 minute')
  execute function project_changed();

create function project_order_changed() returns trigger language plpgsql as $$
begin
  update project_workspaces set sort_key = new.sort_key, active_at = new.active_at
  where org_id = new.org_id and project_id = new.id;
  return null;
end $$;
create trigger projects_order after update on projects for each row
  when (old.sort_key is distinct from new.sort_key or old.active_at is distinct from new.active_at)
  execute function project_order_changed();

create index projects_team_by_name on projects (org_id, sort_key, id) where deleted_at is null and visibility = 'team';
create index projects_team_active on projects (org_id, active_at, id) where deleted_at is null and visibility = 'team';
create index projects_private_by_name on projects (org_id, user_id, sort_key, id)
  where deleted_at is null and visibility = 'private';
create index projects_private_active on projects (org_id, user_id, active_at, id)
  where deleted_at is null and visibility = 'private';
create index project_workspaces_listed_by_name on project_workspaces (org_id, workspace_id, sort_key, project_id) where listed;
create index project_workspaces_listed_active on project_workspaces (org_id, workspace_id, active_at, project_id) where listed;

-- One row per project that a member starred; `position` is the order that the member chose. The API limits their
-- number.
create table project_favourites (
  org_id uuid not null,
  user_id uuid not null references users,
  project_id uuid not null,
  position integer not null,
  created_at timestamptz(3) not null,
  primary key (org_id, user_id, project_id),
  foreign key (org_id, project_id) references projects
);
create index project_favourites_project on project_favourites (org_id, project_id);

-- One row per preview of a canvas, without any text: its largest blocks, and the people who changed it. A request for
-- previews draws those that are missing or out of date.
create table canvas_previews (
  org_id uuid not null,
  project_id uuid not null,
  -- The number of the last change that the preview shows.
  seq bigint not null,
  shapes jsonb not null,
  people uuid[] not null,
  drawn_at timestamptz(3) not null,
  primary key (org_id, project_id),
  foreign key (org_id, project_id) references projects
);

-- One row per template: a canvas from which every member of the organization can create projects. A template is a copy:
-- it stays the same when its original project changes or is deleted.
create table project_templates (
  org_id uuid not null references organizations,
  id uuid not null,
  name text not null,
  description text,
  emoji text,
  prompt text,
  tags text[] not null default '{}',
  -- The blocks and edges, and the ids of the blocks whose text is content from outside.
  canvas jsonb not null,
  shapes jsonb not null,
  block_count integer not null,
  created_by uuid not null references users,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (org_id, id)
);

-- One row per saved view: a named filter of the list of projects, of one member or shared with the organization.
create table project_views (
  org_id uuid not null references organizations,
  id uuid not null,
  user_id uuid not null references users,
  name text not null,
  shared boolean not null,
  settings jsonb not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (org_id, id)
);
create index project_views_own on project_views (org_id, user_id);
create index project_views_shared on project_views (org_id) where shared;
