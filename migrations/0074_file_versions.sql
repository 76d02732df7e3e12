-- Versions: the row of a file has its current content, and `file_versions` has the former ones. `content_number` is the
-- number of the current version.
alter table files
  add content_number integer not null default 1,
  -- The user who wrote the current content, and when; null for the first content of the file.
  add content_by uuid references users,
  add content_at timestamptz(3);

-- One row per former content of a file.
create table file_versions (
  org_id uuid not null references organizations,
  id uuid not null,
  file_id uuid not null,
  number integer not null,
  mime_type text not null,
  size bigint not null,
  object_key text not null,
  sha256 bytea,
  run_id uuid,
  -- The user who wrote this content, and when.
  created_by uuid not null references users,
  created_at timestamptz(3) not null,
  replaced_at timestamptz(3) not null,
  primary key (org_id, id),
  unique (org_id, file_id, number),
  -- Checked at the end of the statement: a purge deletes a file and its versions in one statement.
  foreign key (org_id, file_id) references files,
  foreign key (org_id, object_key) references objects (org_id, key)
);
create index file_versions_object on file_versions (org_id, object_key);
-- For the retention of organizations with the default period, and for that of each organization with its own period.
create index file_versions_age on file_versions (replaced_at);
create index file_versions_age_in on file_versions (org_id, replaced_at);

-- One row per organization that has set its retention: for how many days deleted files stay in the trash, and versions
-- after they were replaced; null for no limit. Without a row, files in the trash stay until a member deletes them.
create table file_retention (
  org_id uuid primary key references organizations,
  trash_days integer check (trash_days between 1 and 3650),
  version_days integer check (version_days between 1 and 3650),
  updated_by uuid not null references users,
  updated_at timestamptz(3) not null
);

-- Versions count against the quota `storage`, as files do.
create function count_inserted_versions() returns trigger language plpgsql as $$
begin
  insert into quota_usage (org_id, quota, amount)
  select org_id, 'storage', sum(size) from changed group by org_id having sum(size) <> 0;
  return null;
end $$;
create function count_deleted_versions() returns trigger language plpgsql as $$
begin
  insert into quota_usage (org_id, quota, amount)
  select org_id, 'storage', -sum(size) from changed group by org_id having sum(size) <> 0;
  return null;
end $$;
create trigger file_versions_inserted after insert on file_versions referencing new table as changed
  for each statement execute function count_inserted_versions();
create trigger file_versions_deleted after delete on file_versions referencing old table as changed
  for each statement execute function count_deleted_versions();
create function count_resized_file() returns trigger language plpgsql as $$
begin
  insert into quota_usage (org_id, quota, amount) values (new.org_id, 'storage', new.size - old.size);
  return null;
end $$;
create trigger files_resized after update of size on files for each row
  when (new.source = 'upload' and new.size <> old.size) execute function count_resized_file();

-- A run that replaced the content of a file has stored the former content as a file in the trash. This file becomes a
-- version with the same id, which `file_changes.former_id` has, so that the run can still be undone.
create temporary table former on commit drop as
  select distinct on (f.org_id, f.id) f.org_id, f.id, c.file_id, f.mime_type, f.size, f.object_key, f.sha256, f.run_id,
    f.created_by, f.created_at, f.deleted_at
  from file_changes c
  join files f on f.org_id = c.org_id and f.id = c.former_id and f.deleted_at is not null and f.source = 'upload'
    and f.status = 'ready' and f.sha256 is not null
  join files current on current.org_id = c.org_id and current.id = c.file_id and current.source = 'upload'
  order by f.org_id, f.id, c.seq;
insert into file_versions (org_id, id, file_id, number, mime_type, size, object_key, sha256, run_id, created_by, created_at,
    replaced_at)
  select org_id, id, file_id, row_number() over (partition by org_id, file_id order by deleted_at, id), mime_type, size,
    object_key, sha256, run_id, created_by, created_at, deleted_at
  from former;
update files f set content_number = v.last + 1
  from (select org_id, file_id, max(number) as last from file_versions group by org_id, file_id) v
  where f.org_id = v.org_id and f.id = v.file_id;
delete from files f using former where f.org_id = former.org_id and f.id = former.id;

-- One row per public link: a URL with which everyone can read a file or folder.
create table public_links (
  org_id uuid not null references organizations,
  id uuid not null,
  file_id uuid not null,
  token_hash bytea not null unique,
  password_hash text,
  expires_at timestamptz(3),
  created_by uuid not null references users,
  created_at timestamptz(3) not null,
  -- Updated at most once a minute.
  last_used_at timestamptz(3),
  primary key (org_id, id),
  foreign key (org_id, file_id) references files on delete cascade
);
create index public_links_file on public_links (org_id, file_id, id desc);
create index public_links_creator on public_links (org_id, created_by, id desc);

-- One row per organization that has set who may create public links, and whose links are valid. Without a row, members
-- who can edit the file may create them.
create table public_link_settings (
  org_id uuid primary key references organizations,
  allowed_for text not null check (allowed_for in ('members', 'admins', 'nobody')),
  updated_by uuid not null references users,
  updated_at timestamptz(3) not null
);
