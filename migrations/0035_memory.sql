-- Returns the lexemes of a memory: its key has the weight A, its tags B and its content D.
create function memory_search(key text, tags text[], content text) returns tsvector language sql immutable parallel safe as $$
  select
    setweight(to_tsvector('pg_catalog.simple', s.name), 'A') || setweight(to_tsvector('pg_catalog.english', s.name), 'A')
    || setweight(to_tsvector('pg_catalog.simple', s.labels), 'B')
    || setweight(to_tsvector('pg_catalog.simple', content), 'D') || setweight(to_tsvector('pg_catalog.english', content), 'D')
  from (select
    -- Keys such as `deploy.staging_url` are several lexemes.
    key || ' ' || regexp_replace(key, '[^[:alnum:]]+', ' ', 'g') as name,
    regexp_replace(tags::text, '[{},"]', ' ', 'g') as labels
  ) s
$$;

-- One row per memory: a short text of one project or of the whole organization that agents look up. `space_id` is the
-- project or the organization, so that one index serves both. A run that is not trusted adds a proposal, which is a
-- separate row until a person accepts it. Decided proposals stay, so that a decision can be undone.
create table memories (
  org_id uuid not null references organizations,
  id uuid not null,
  -- Null for a memory of the whole organization.
  project_id uuid,
  space_id uuid not null generated always as (coalesce(project_id, org_id)) stored,
  key text not null,
  content text not null,
  tags text[] not null,
  source text not null check (source in ('person', 'run')),
  status text not null check (status in ('active', 'proposed', 'accepted', 'rejected')),
  version integer not null default 1,
  -- The author of the current version: a user, or the user who started the run.
  written_by uuid references users,
  run_id uuid,
  -- The project of the run that made the proposal. Only members who see this project see the proposal.
  origin_project_id uuid,
  decided_by uuid references users,
  decided_at timestamptz(3),
  -- For an accepted proposal: the memory, and the version of it that has the text of the proposal.
  accepted_as uuid,
  accepted_version integer,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  search tsvector not null generated always as (memory_search(key, tags, content)) stored,
  primary key (org_id, id),
  foreign key (org_id, project_id) references projects (org_id, id)
);
create unique index memories_key on memories (org_id, space_id, key) where status = 'active';
create unique index memories_proposal on memories (org_id, run_id, space_id, key) where status = 'proposed';
create index memories_newest on memories (org_id, updated_at desc, id desc) where status = 'active';
create index memories_newest_of_space on memories (org_id, space_id, updated_at desc, id desc) where status = 'active';
create index memories_proposed on memories (org_id, updated_at desc, id desc) where status = 'proposed';
create index memories_accepted on memories (org_id, accepted_as) where accepted_as is not null;
create index memories_search on memories using gin (org_id, space_id, search) where status = 'active';
alter table memories set (autovacuum_analyze_threshold = 50, autovacuum_analyze_scale_factor = 0.05);

-- One row per version of a memory, so that a wrong or malicious text can be reverted.
create table memory_versions (
  org_id uuid not null,
  memory_id uuid not null,
  version integer not null check (version > 0),
  change text not null check (change in ('created', 'updated', 'accepted', 'merged', 'restored', 'imported')),
  key text not null,
  content text not null,
  tags text[] not null,
  source text not null,
  written_by uuid references users,
  run_id uuid,
  restored_from integer,
  created_at timestamptz(3) not null,
  primary key (org_id, memory_id, version),
  foreign key (org_id, memory_id) references memories on delete cascade
);

-- One row per run: the memories in its prompt, as the model receives them. They are selected for the first model call
-- and stay the same in later ones.
create table run_memories (
  org_id uuid not null,
  run_id uuid not null,
  content text not null,
  memory_ids uuid[] not null,
  created_at timestamptz(3) not null,
  primary key (org_id, run_id)
);

create function count_inserted_memories() returns trigger language plpgsql as $$
begin
  insert into quota_usage (org_id, quota, amount) select org_id, 'memories', count(*) from changed group by org_id;
  return null;
end $$;
create function count_deleted_memories() returns trigger language plpgsql as $$
begin
  insert into quota_usage (org_id, quota, amount) select org_id, 'memories', -count(*) from changed group by org_id;
  return null;
end $$;
create trigger memories_inserted after insert on memories referencing new table as changed
  for each statement execute function count_inserted_memories();
create trigger memories_deleted after delete on memories referencing old table as changed
  for each statement execute function count_deleted_memories();

create index memories_decided on memories (decided_at) where decided_at is not null;
