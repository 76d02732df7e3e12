-- One row per folder, space, repository or website outside that syncs into a project folder.
create table knowledge_sources (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  -- Where its files are created. A member may move or delete the folder, so there is no foreign key.
  folder_id uuid not null,
  kind text not null check (kind in
    ('google_drive', 'notion', 'confluence', 'github', 'dropbox', 'sharepoint', 'website')),
  name text not null,
  settings jsonb not null,
  -- Null for a website. A revoked connection's row stays.
  connection_id uuid,
  interval_minutes integer not null,
  enabled boolean not null,
  -- Why the server paused the source; null if it did not. A member can resume it.
  paused_reason text,
  paused_detail text,
  paused_at timestamptz(3),
  -- The provider's position up to which everything is stored. Null before the first complete sync.
  cursor jsonb,
  -- The sync in progress, with the position of its listing.
  progress jsonb,
  -- The number of the last complete listing, or of the one in progress: see `source_items.seen`.
  pass integer not null default 0,
  item_count integer not null default 0,
  next_sync_at timestamptz(3),
  -- When the next sync or its next part is due; while a worker has claimed the source, when its lease expires.
  due_at timestamptz(3),
  -- The number of the last claim. Every transaction of a sync compares it with the number of its worker's own claim.
  lease integer not null default 0,
  -- A member asked for a sync, which then also lists what the provider reports as unchanged.
  requested boolean not null default false,
  failures integer not null default 0,
  last_error text,
  last_synced_at timestamptz(3),
  -- The member whose rights the files are written with: the one who last changed what is synced.
  owner_id uuid not null references users,
  created_by uuid not null references users,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (org_id, id),
  foreign key (org_id, project_id) references projects
);
create index knowledge_sources_project on knowledge_sources (org_id, project_id, id desc);
create index knowledge_sources_due on knowledge_sources (due_at) where due_at is not null;
create index knowledge_sources_owner on knowledge_sources (owner_id);
create index knowledge_sources_creator on knowledge_sources (created_by);

-- What a source contains, by the provider's id.
create table source_items (
  org_id uuid not null,
  source_id uuid not null,
  external_id text not null,
  -- Null if nothing is stored. A member may delete the file, so there is no foreign key.
  file_id uuid,
  -- Where the sync put it: a file elsewhere was moved here.
  folder_id uuid,
  -- Folders and name, as last synced.
  path text not null,
  name text not null,
  -- The provider's version of what is stored, or of what was skipped. Null if it must be read again.
  version text,
  -- Sent back to ask for changes only, such as a website's etag.
  etag text,
  -- Of the content that the sync stored last: a file with another hash was changed here.
  sha256 text,
  state text not null check (state in ('synced', 'skipped', 'failed', 'detached')),
  reason text,
  attempts integer not null default 0,
  -- The last listing that contained it.
  seen integer not null,
  updated_at timestamptz(3) not null,
  primary key (org_id, source_id, external_id),
  foreign key (org_id, source_id) references knowledge_sources on delete cascade
);
create index source_items_seen on source_items (org_id, source_id, seen);
create index source_items_file on source_items (org_id, file_id) where file_id is not null;

create table source_syncs (
  org_id uuid not null,
  id uuid not null,
  source_id uuid not null,
  trigger text not null check (trigger in ('schedule', 'manual')),
  outcome text not null check (outcome in ('running', 'succeeded', 'failed', 'paused')),
  error text,
  added integer not null default 0,
  changed integer not null default 0,
  removed integer not null default 0,
  skipped integer not null default 0,
  bytes bigint not null default 0,
  started_at timestamptz(3) not null,
  ended_at timestamptz(3),
  primary key (org_id, id),
  foreign key (org_id, source_id) references knowledge_sources on delete cascade
);
create index source_syncs_source on source_syncs (org_id, source_id, id desc);

-- What a sync did, one row per item. The newest rows of each source are kept.
create table source_log (
  org_id uuid not null,
  id uuid not null,
  source_id uuid not null,
  sync_id uuid not null,
  action text not null check (action in ('added', 'changed', 'moved', 'removed', 'skipped', 'kept')),
  path text not null,
  file_id uuid,
  reason text,
  created_at timestamptz(3) not null,
  primary key (org_id, id),
  foreign key (org_id, source_id) references knowledge_sources on delete cascade
);
create index source_log_source on source_log (org_id, source_id, id desc);
