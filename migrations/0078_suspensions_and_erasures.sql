-- Suspensions, exports and erasures of organizations, by operators or by owners of the organization.

-- One row per reason for which an organization is suspended: only operators have access to it. Each process caches
-- these rows in memory.
create table suspensions (
  org_id uuid not null references organizations,
  -- Suspended by an operator, or because of a scheduled erasure.
  kind text not null check (kind in ('operator', 'erasure')),
  reason text not null,
  -- Null for a suspension from the command line.
  suspended_by uuid references users on delete set null,
  suspended_at timestamptz(3) not null,
  primary key (org_id, kind)
);

-- One row per export of an organization.
create table organization_exports (
  org_id uuid not null references organizations,
  id uuid not null,
  status text not null check (status in ('queued', 'running', 'ready', 'failed', 'expired')),
  requested_by uuid references users on delete set null,
  -- Whether an operator requested the export. Owners see the exports that an owner requested.
  by_operator boolean not null,
  requested_at timestamptz(3) not null,
  finished_at timestamptz(3),
  expires_at timestamptz(3),
  -- The numbers of exported tables, rows, files and bytes, and their totals.
  progress jsonb not null default '{}',
  object_key text,
  bytes bigint,
  error text,
  primary key (org_id, id)
);
create unique index organization_exports_open on organization_exports (org_id) where status in ('queued', 'running');
create index organization_exports_expiry on organization_exports (expires_at) where status = 'ready';

-- One row per erasure of an organization. The row stays after the erasure: `subject_id` is the id of the organization,
-- and its name is removed.
create table erasures (
  id uuid primary key,
  subject_id uuid not null,
  name text,
  status text not null check (status in ('scheduled', 'canceled', 'running', 'done')),
  by_operator boolean not null,
  requested_by uuid references users on delete set null,
  requested_at timestamptz(3) not null,
  erase_after timestamptz(3) not null,
  canceled_at timestamptz(3),
  started_at timestamptz(3),
  finished_at timestamptz(3),
  -- The numbers of erased rows by table, objects, bytes and accounts.
  receipt jsonb not null default '{"tables": {}, "objects": 0, "accounts": 0}'
);
create unique index erasures_open on erasures (subject_id) where status in ('scheduled', 'running');
create index erasures_due on erasures (erase_after) where status in ('scheduled', 'running');
create index erasures_subject on erasures (subject_id, id desc);

-- One row per organization: its usage as of `counted_at`, so that operators can sort ten thousand organizations by it.
create table organization_figures (
  org_id uuid primary key references organizations on delete cascade,
  members bigint not null default 0,
  projects bigint not null default 0,
  files bigint not null default 0,
  storage bigint not null default 0,
  runs bigint not null default 0,
  spend numeric(20, 6) not null default 0,
  active_at timestamptz(3) not null,
  counted_at timestamptz(3) not null
);
create index organization_figures_members on organization_figures (members, org_id);
create index organization_figures_projects on organization_figures (projects, org_id);
create index organization_figures_files on organization_figures (files, org_id);
create index organization_figures_storage on organization_figures (storage, org_id);
create index organization_figures_runs on organization_figures (runs, org_id);
create index organization_figures_spend on organization_figures (spend, org_id);
create index organization_figures_active on organization_figures (active_at, org_id);
create index organizations_name on organizations (lower(name), id);

create function add_organization_figures() returns trigger language plpgsql as $$
begin
  insert into organization_figures (org_id, active_at, counted_at) values (new.id, new.created_at, new.created_at);
  return null;
end $$;
create trigger organizations_figures after insert on organizations
  for each row execute function add_organization_figures();
insert into organization_figures (org_id, active_at, counted_at)
  select id, created_at, '2000-01-01' from organizations;

-- For erasures, which delete the emails of an organization.
create index mails_org on mails (org_id) where org_id is not null;
