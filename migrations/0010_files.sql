-- Files: a folder tree whose bytes are in an object store.

create extension if not exists btree_gin;

-- What is in the object store. A row comes before its bytes, so that bytes without a row never exist and what a crash
-- left half-written can be found; several files may share an object, which is removed with the last of them.
create table objects (
  org_id uuid not null references organizations,
  key text not null,
  stored_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (org_id, key)
);
create index objects_unfinished on objects (created_at) where stored_at is null;

-- The skeleton of the tree: one row per folder, the root of each organization included (its id is the organization's).
-- Few rows decide where everything is and whether it can be reached, so moving, deleting and restoring a folder costs
-- the same however many files are in it.
create table folders (
  org_id uuid not null references organizations,
  id uuid not null,
  parent_id uuid,
  -- From the root down to the folder itself.
  path uuid[] not null,
  -- The project whose folder this is in; inherited from above.
  project_id uuid,
  -- The folder whose deletion took this one along; itself if it was the one deleted. Null while it can be reached.
  trashed_by uuid,
  primary key (org_id, id),
  foreign key (org_id, parent_id) references folders
);
create index folders_path on folders using gin (path) with (fastupdate = off);
-- A project has one folder at the top of its part of the tree.
create unique index folders_project on folders (org_id, project_id) where project_id is not null and cardinality(path) = 2;
create index folders_parent on folders (org_id, parent_id);
create index folders_trashed on folders (org_id, trashed_by) where trashed_by is not null;

create table files (
  org_id uuid not null references organizations,
  id uuid not null,
  parent_id uuid not null,
  source text not null check (source in ('upload', 'folder', 'link')),
  name text not null,
  -- The name made comparable: for order (numbers in their natural order) and for finding (case ignored).
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
  -- Where it was when it was deleted: the folders above as [{ id, name }], from the root down.
  trashed_from jsonb,
  -- Folders come first.
  rank smallint not null generated always as (case when source = 'folder' then 0 else 1 end) stored,
  primary key (org_id, id),
  foreign key (org_id, parent_id) references folders,
  foreign key (org_id, object_key) references objects (org_id, key),
  check ((source = 'upload') = (object_key is not null)),
  check ((source = 'link') = (target_id is not null))
);
-- One folder, by each order.
create index files_by_name on files (org_id, parent_id, rank, sort_key, id)
  where deleted_at is null and status = 'ready';
create index files_newest on files (org_id, parent_id, updated_at desc, id desc)
  where deleted_at is null and status = 'ready';
create index files_largest on files (org_id, parent_id, size desc, id desc)
  where deleted_at is null and status = 'ready';
-- The same for the few folders and links among many uploads.
create index files_others_by_name on files (org_id, parent_id, source, sort_key, id)
  where deleted_at is null and status = 'ready' and source <> 'upload';
create index files_others_newest on files (org_id, parent_id, source, updated_at desc, id desc)
  where deleted_at is null and status = 'ready' and source <> 'upload';
create index files_others_largest on files (org_id, parent_id, source, size desc, id desc)
  where deleted_at is null and status = 'ready' and source <> 'upload';

-- All folders together, by each order: what is common is found soon on the way along one of these
-- (which know the folder, so that what is in the trash is passed by without being read),
create index files_everywhere on files (org_id, rank, sort_key, id) include (parent_id)
  where deleted_at is null and status = 'ready';
create index files_everywhere_newest on files (org_id, updated_at desc, id desc) include (parent_id)
  where deleted_at is null and status = 'ready';
create index files_everywhere_largest on files (org_id, size desc, id desc) include (parent_id)
  where deleted_at is null and status = 'ready';
create index files_trash on files (org_id, deleted_at desc, id desc) where deleted_at is not null;
-- and what is rare by one of these. Pieces of one, two and three characters serve every script and every length of
-- search, which trigrams of letters and digits do not.
create function name_grams(name text) returns text[] language sql immutable strict parallel safe cost 1000 as $$
  select array_agg(substr(name, at, size))
  from generate_series(1, 3) size, generate_series(1, length(name) - size + 1) at
$$;
create index files_search on files using gin (org_id, name_grams(search_key)) where status = 'ready';
create index files_tags on files using gin (org_id, tags) where status = 'ready';

-- For the folders of the skeleton, which are looked for by what is in them before they go.
create index files_parent on files (org_id, parent_id);
create index files_object on files (org_id, object_key) where object_key is not null;

-- Every organization has a root, whoever makes it.
create function make_root_folder() returns trigger language plpgsql as $$
begin
  insert into folders (org_id, id, path) values (new.id, new.id, array[new.id]);
  return new;
end $$;
create trigger organizations_root after insert on organizations
  for each row execute function make_root_folder();
insert into folders (org_id, id, path) select id, id, array[id] from organizations;
