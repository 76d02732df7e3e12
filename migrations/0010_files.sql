-- Files: a folder tree, whose contents are in an object store.

create extension if not exists btree_gin;

-- One row per object in the object store. The row is inserted before the object is written, so that every object has a
-- row and the sweep finds objects that a crash left incomplete. Several files may share an object, which is deleted
-- with the last of them.
create table objects (
  org_id uuid not null references organizations,
  key text not null,
  stored_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (org_id, key)
);
create index objects_unfinished on objects (created_at) where stored_at is null;

-- One row per folder, including the root folder of each organization, which has the id of the organization. Files take
-- their path, project and trash state from their folder, so the time to move, delete or restore a folder does not
-- depend on the number of files in it.
create table folders (
  org_id uuid not null references organizations,
  id uuid not null,
  parent_id uuid,
  -- The ids of the folders from the root down to this folder, inclusive.
  path uuid[] not null,
  -- The project that the folder belongs to, inherited by its subfolders; null outside of projects.
  project_id uuid,
  -- The deleted folder with which this folder moved to the trash; its own id if this folder was deleted. Null if the
  -- folder is not in the trash.
  trashed_by uuid,
  primary key (org_id, id),
  foreign key (org_id, parent_id) references folders
);
create index folders_path on folders using gin (path) with (fastupdate = off);
-- A project has one topmost folder, directly below the root folder.
create unique index folders_project on folders (org_id, project_id) where project_id is not null and cardinality(path) = 2;
create index folders_parent on folders (org_id, parent_id);
create index folders_trashed on folders (org_id, trashed_by) where trashed_by is not null;

-- One row per file, folder or link.
create table files (
  org_id uuid not null references organizations,
  id uuid not null,
  parent_id uuid not null,
  source text not null check (source in ('upload', 'folder', 'link')),
  name text not null,
  -- The normalized name, for sorting (numbers in natural order) and for searching (case-insensitive).
  sort_key text collate "C" not null,
  search_key text not null,
  mime_type text not null,
  size bigint not null default 0,
  object_key text,
  sha256 bytea,
  target_id uuid,
  status text not null default 'ready' check (status in ('pending', 'ready')),
  protected boolean not null default false,
  tags text[] not null default '{}',
  created_by uuid not null references users,
  run_id uuid,
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  -- The parent folders at the time of the deletion, from the root down: [{ id, name }].
  trashed_from jsonb,
  -- Lists sort folders before files.
  rank smallint not null generated always as (case when source = 'folder' then 0 else 1 end) stored,
  primary key (org_id, id),
  foreign key (org_id, parent_id) references folders,
  foreign key (org_id, object_key) references objects (org_id, key),
  check ((source = 'upload') = (object_key is not null)),
  check ((source = 'link') = (target_id is not null))
);
-- The contents of one folder, in each sort order.
create index files_by_name on files (org_id, parent_id, rank, sort_key, id)
  where deleted_at is null and status = 'ready';
create index files_newest on files (org_id, parent_id, updated_at desc, id desc)
  where deleted_at is null and status = 'ready';
create index files_largest on files (org_id, parent_id, size desc, id desc)
  where deleted_at is null and status = 'ready';
-- The folders and links in one folder, in each sort order: there may be few among many uploads.
create index files_others_by_name on files (org_id, parent_id, source, sort_key, id)
  where deleted_at is null and status = 'ready' and source <> 'upload';
create index files_others_newest on files (org_id, parent_id, source, updated_at desc, id desc)
  where deleted_at is null and status = 'ready' and source <> 'upload';
create index files_others_largest on files (org_id, parent_id, source, size desc, id desc)
  where deleted_at is null and status = 'ready' and source <> 'upload';

-- The files of all folders, in each sort order. A scan in list order is the fastest way to common matches. The indexes
-- include `parent_id`, so that the scan skips files in trashed folders without reading their rows.
create index files_everywhere on files (org_id, rank, sort_key, id) include (parent_id)
  where deleted_at is null and status = 'ready';
create index files_everywhere_newest on files (org_id, updated_at desc, id desc) include (parent_id)
  where deleted_at is null and status = 'ready';
create index files_everywhere_largest on files (org_id, size desc, id desc) include (parent_id)
  where deleted_at is null and status = 'ready';
create index files_trash on files (org_id, deleted_at desc, id desc) where deleted_at is not null;
-- Returns all substrings of one, two and three characters. The index of these substrings, or that of tags, is the
-- fastest way to rare matches. Unlike trigrams of letters and digits, it serves every script and search texts of any
-- length.
create function name_grams(name text) returns text[] language sql immutable strict parallel safe cost 1000 as $$
  select array_agg(substr(name, at, size))
  from generate_series(1, 3) size, generate_series(1, length(name) - size + 1) at
$$;
create index files_search on files using gin (org_id, name_grams(search_key)) where status = 'ready';
create index files_tags on files using gin (org_id, tags) where status = 'ready';

-- For the foreign key to `folders`: deleting a folder looks for files in it.
create index files_parent on files (org_id, parent_id);
create index files_object on files (org_id, object_key) where object_key is not null;

-- Creates the root folder of every new organization.
create function make_root_folder() returns trigger language plpgsql as $$
begin
  insert into folders (org_id, id, path) values (new.id, new.id, array[new.id]);
  return new;
end $$;
create trigger organizations_root after insert on organizations
  for each row execute function make_root_folder();
insert into folders (org_id, id, path) select id, id, array[id] from organizations;
