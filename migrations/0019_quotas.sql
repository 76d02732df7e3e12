-- Quotas: limits that operators set for one organization, and the usage of each organization.

-- One row per quota of an organization for which an operator replaced the default limit.
create table quota_overrides (
  org_id uuid not null references organizations,
  quota text not null,
  allowed bigint not null check (allowed >= 0),
  updated_at timestamptz(3) not null,
  primary key (org_id, quota)
);

-- The usage of a quota is the sum of `amount`. Every transaction appends a row, so that transactions of one
-- organization never wait for each other; readers combine many rows into one.
create table quota_usage (
  org_id uuid not null,
  quota text not null,
  amount bigint not null
);
create index quota_usage_org on quota_usage (org_id, quota);

-- Subtracts deleted events from the usage. The statements that insert events add them, because a trigger took a fifth
-- of the time of the insert.
create function count_deleted_events() returns trigger language plpgsql as $$
begin
  insert into quota_usage (org_id, quota, amount) select org_id, 'events', -count(*) from changed group by org_id;
  return null;
end $$;
create trigger events_deleted after delete on events referencing old table as changed
  for each statement execute function count_deleted_events();
insert into quota_usage (org_id, quota, amount) select org_id, 'events', count(*) from events group by org_id;

-- Files in the trash and pending uploads count. A copy counts separately, although it shares the object of its
-- original.
create function count_inserted_files() returns trigger language plpgsql as $$
begin
  insert into quota_usage (org_id, quota, amount)
  select org_id, quota, amount
  from (select org_id, count(*) as files, sum(size) filter (where source = 'upload') as bytes from changed group by org_id) c,
    lateral (values ('files', c.files), ('storage', c.bytes)) each (quota, amount)
  where amount <> 0;
  return null;
end $$;
create function count_deleted_files() returns trigger language plpgsql as $$
begin
  insert into quota_usage (org_id, quota, amount)
  select org_id, quota, -amount
  from (select org_id, count(*) as files, sum(size) filter (where source = 'upload') as bytes from changed group by org_id) c,
    lateral (values ('files', c.files), ('storage', c.bytes)) each (quota, amount)
  where amount <> 0;
  return null;
end $$;
create trigger files_inserted after insert on files referencing new table as changed
  for each statement execute function count_inserted_files();
create trigger files_deleted after delete on files referencing old table as changed
  for each statement execute function count_deleted_files();
insert into quota_usage (org_id, quota, amount) select org_id, 'files', count(*) from files group by org_id;
insert into quota_usage (org_id, quota, amount)
  select org_id, 'storage', sum(size) from files where source = 'upload' group by org_id having sum(size) > 0;

-- `bytes` is the size of a change in the history of a canvas; `began_at` is the time of the first of the edits that a
-- change combines. `history_bytes` is the sum of a canvas. It needs no extra statement, because every write of a canvas
-- updates the row of its project.
alter table canvas_changes add column bytes integer not null default 0, add column began_at timestamptz(3);
alter table projects add column history_bytes bigint not null default 0;
update canvas_changes set
  bytes = 100 + coalesce(octet_length(before::text), 0) + coalesce(octet_length(after::text), 0);
update projects p set history_bytes = (
  select coalesce(sum(c.bytes), 0) from canvas_changes c where c.org_id = p.org_id and c.project_id = p.id);
