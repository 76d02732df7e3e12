-- One row per skill in the Agent Skills format, with the columns that lists and prompts need.
create table skills (
  org_id uuid not null references organizations,
  id uuid not null,
  name text not null,
  description text not null,
  -- The name and the description, folded for search.
  search_key text not null,
  version integer not null default 1,
  file_count integer not null,
  size bigint not null,
  created_by uuid references users,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (org_id, id)
);
create unique index skills_name on skills (org_id, name);

-- One row per version of a skill, with its texts and the list of its files.
create table skill_versions (
  org_id uuid not null,
  skill_id uuid not null,
  version integer not null check (version > 0),
  change text not null check (change in ('created', 'updated', 'imported', 'restored')),
  restored_from integer,
  -- The fields of the front matter, the instructions, and the files with path, size, hash and whether they are text.
  content jsonb not null,
  changed_by uuid references users,
  created_at timestamptz(3) not null,
  primary key (org_id, skill_id, version),
  foreign key (org_id, skill_id) references skills on delete cascade
);

-- One row per content of a file, by its hash: all versions of a skill share it.
create table skill_files (
  org_id uuid not null,
  skill_id uuid not null,
  hash text not null,
  content bytea not null,
  primary key (org_id, skill_id, hash),
  foreign key (org_id, skill_id) references skills on delete cascade
);

-- The contents of skill files count against the quota `storage`.
create function count_inserted_skill_files() returns trigger language plpgsql as $$
begin
  insert into quota_usage (org_id, quota, amount)
  select org_id, 'storage', sum(length(content)) from changed group by org_id having sum(length(content)) > 0;
  return null;
end $$;
create function count_deleted_skill_files() returns trigger language plpgsql as $$
begin
  insert into quota_usage (org_id, quota, amount)
  select org_id, 'storage', -sum(length(content)) from changed group by org_id having sum(length(content)) > 0;
  return null;
end $$;
create trigger skill_files_inserted after insert on skill_files referencing new table as changed
  for each statement execute function count_inserted_skill_files();
create trigger skill_files_deleted after delete on skill_files referencing old table as changed
  for each statement execute function count_deleted_skill_files();
