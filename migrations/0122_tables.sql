-- Tables of projects. A table's columns are data, so its values are one document per row. A filter or sort on any column
-- reads the table's own rows, at most 100,000, by the primary key; the key column and the order of creation have indexes.
create table project_tables (
  org_id uuid not null references organizations,
  id uuid not null,
  project_id uuid not null,
  name text not null,
  -- Equal for names that differ only in case.
  search_key text not null,
  description text,
  -- In display order. A removed column has `removedAt`, and its values stay until they are stripped.
  columns jsonb not null,
  -- What people and agents wrote in the columns: their names and choices.
  labels text[] not null,
  key_column text,
  row_count integer not null default 0,
  row_bytes bigint not null default 0,
  -- The last change's number.
  seq bigint not null default 1,
  -- Changes up to this one are deleted.
  pruned_seq bigint not null default 0,
  -- Rows have texts by guests or runs that had read untrusted content.
  has_outside boolean not null default false,
  -- Null for a guest.
  created_by uuid references users,
  run_id uuid,
  deleted_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (org_id, id),
  foreign key (org_id, project_id) references projects (org_id, id)
);
create unique index project_tables_name on project_tables (org_id, project_id, search_key) where deleted_at is null;
create index project_tables_deleted on project_tables (deleted_at) where deleted_at is not null;
-- For purging and for lists of deleted tables.
create index project_tables_project on project_tables (org_id, project_id);

-- Ids are in the order of creation, which is the default order.
create table table_rows (
  org_id uuid not null,
  table_id uuid not null,
  id uuid not null,
  -- By column. Empty cells are absent.
  cells jsonb not null,
  -- The key column's value as text.
  key_text text,
  bytes integer not null,
  -- The number of the change that last wrote it.
  seq bigint not null,
  updated_by uuid references users,
  run_id uuid,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (org_id, table_id, id),
  foreign key (org_id, table_id) references project_tables on delete cascade
);
create unique index table_rows_key on table_rows (org_id, table_id, key_text) where key_text is not null;
create index table_rows_changed on table_rows (org_id, table_id, seq);

create table table_views (
  org_id uuid not null,
  id uuid not null,
  table_id uuid not null,
  name text not null,
  settings jsonb not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (org_id, id),
  foreign key (org_id, table_id) references project_tables on delete cascade
);
create index table_views_table on table_views (org_id, table_id, id);

-- One row per call that changed a table.
create table table_changes (
  org_id uuid not null,
  table_id uuid not null,
  seq bigint not null,
  kind text not null check (
    kind in ('created', 'updated', 'deleted', 'restored', 'columns', 'converted', 'rows', 'imported', 'undone')),
  rows_created integer not null,
  rows_updated integer not null,
  rows_deleted integer not null,
  -- Changed settings of the table.
  before jsonb not null,
  after jsonb not null,
  user_id uuid references users,
  run_id uuid,
  undoes bigint,
  undone_by bigint,
  bytes bigint not null,
  created_at timestamptz(3) not null,
  primary key (org_id, table_id, seq),
  foreign key (org_id, table_id) references project_tables on delete cascade
);
create index table_changes_run on table_changes (org_id, run_id, table_id) where run_id is not null;
create index table_changes_created on table_changes (created_at);

-- A created row has no `before`, and a deleted one no `after`. Otherwise both have the changed cells; null is an empty one.
create table table_row_changes (
  org_id uuid not null,
  table_id uuid not null,
  seq bigint not null,
  row_id uuid not null,
  before jsonb,
  after jsonb,
  primary key (org_id, table_id, seq, row_id),
  foreign key (org_id, table_id) references project_tables on delete cascade
);
create index table_row_changes_row on table_row_changes (org_id, table_id, row_id, seq);

-- A number or amount. Null for any other value, so a filter never fails on a row of another table.
create function table_number(value jsonb) returns numeric language sql immutable parallel safe as $$
  select case
    when jsonb_typeof(value) = 'number' then (value #>> '{}')::numeric
    when jsonb_typeof(value) = 'string' and value #>> '{}' ~ '^-?[0-9]{1,15}(\.[0-9]{1,6})?$' then (value #>> '{}')::numeric
  end
$$;

create function count_table_rows() returns trigger language plpgsql as $$
begin
  insert into quota_usage (org_id, quota, amount)
  select c.org_id, q.quota, q.amount
  from (select org_id, count(*) as rows, sum(bytes) as bytes from changed group by org_id) c,
    lateral (values ('tableRows', c.rows), ('tableBytes', c.bytes)) q (quota, amount)
  where q.amount <> 0;
  return null;
end $$;
create function uncount_table_rows() returns trigger language plpgsql as $$
begin
  insert into quota_usage (org_id, quota, amount)
  select c.org_id, q.quota, -q.amount
  from (select org_id, count(*) as rows, sum(bytes) as bytes from changed group by org_id) c,
    lateral (values ('tableRows', c.rows), ('tableBytes', c.bytes)) q (quota, amount)
  where q.amount <> 0;
  return null;
end $$;
create function recount_table_rows() returns trigger language plpgsql as $$
begin
  insert into quota_usage (org_id, quota, amount)
  select org_id, 'tableBytes', sum(bytes) from (
    select org_id, bytes::bigint from changed union all select org_id, -bytes::bigint from former
  ) c group by org_id having sum(bytes) <> 0;
  return null;
end $$;
create trigger table_rows_inserted after insert on table_rows referencing new table as changed
  for each statement execute function count_table_rows();
create trigger table_rows_deleted after delete on table_rows referencing old table as changed
  for each statement execute function uncount_table_rows();
create trigger table_rows_updated after update on table_rows referencing new table as changed old table as former
  for each statement execute function recount_table_rows();

create function count_table_history() returns trigger language plpgsql as $$
begin
  insert into quota_usage (org_id, quota, amount)
  select org_id, 'history', sum(bytes) * case tg_op when 'DELETE' then -1 else 1 end from changed
  group by org_id having sum(bytes) <> 0;
  return null;
end $$;
create trigger table_changes_inserted after insert on table_changes referencing new table as changed
  for each statement execute function count_table_history();
create trigger table_changes_deleted after delete on table_changes referencing old table as changed
  for each statement execute function count_table_history();

-- As record_text_origins() does for fields: a row's texts by untrusted authors, and copies of them. Numbers, dates and ids
-- are no texts. Origins stay when a row is deleted, because an undo creates it again with its texts.
create function record_row_texts() returns trigger language plpgsql as $$
declare
  is_outside boolean := coalesce(current_setting('atrium.outside_author', true), '') <> '';
begin
  if not is_outside and not exists (
    select from text_origins o where o.org_id = (select c.org_id from changed c limit 1)) then
    return null;
  end if;
  if tg_op = 'INSERT' then
    with added as (
      insert into text_origins (org_id, record_id, field, hash)
      select c.org_id, c.id, v.key, text_hash(v.value #>> '{}')
      from changed c cross join lateral jsonb_each(c.cells) v
      where is_outside_text(c.org_id, v.value, is_outside)
      on conflict do nothing returning org_id, record_id
    )
    update project_tables t set has_outside = true
    where not t.has_outside and (t.org_id, t.id) in (
      select c.org_id, c.table_id from changed c where (c.org_id, c.id) in (select a.org_id, a.record_id from added a));
  else
    with added as (
      insert into text_origins (org_id, record_id, field, hash)
      select c.org_id, c.id, v.key, text_hash(v.value #>> '{}')
      from changed c
      join former f on f.org_id = c.org_id and f.table_id = c.table_id and f.id = c.id
      cross join lateral jsonb_each(c.cells) v
      where f.cells -> v.key is distinct from v.value and is_outside_text(c.org_id, v.value, is_outside)
      on conflict do nothing returning org_id, record_id
    )
    update project_tables t set has_outside = true
    where not t.has_outside and (t.org_id, t.id) in (
      select c.org_id, c.table_id from changed c where (c.org_id, c.id) in (select a.org_id, a.record_id from added a));
  end if;
  return null;
end $$;
create function is_outside_text(org uuid, value jsonb, is_outside boolean) returns boolean language sql stable as $$
  select jsonb_typeof(value) = 'string' and value #>> '{}' !~ '^[-+0-9a-f.:TZ]*$' and (is_outside or (
    length(value #>> '{}') >= 12 and exists (
      select from text_origins o where o.org_id = org and o.hash = text_hash(value #>> '{}'))))
$$;
create trigger text_origins_inserted after insert on table_rows referencing new table as changed
  for each statement execute function record_row_texts('cells');
create trigger text_origins_updated after update on table_rows referencing new table as changed old table as former
  for each statement execute function record_row_texts('cells');

create trigger text_origins_inserted after insert on project_tables
  for each row execute function record_text_origins('name', 'description', 'labels');
create trigger text_origins_updated after update on project_tables
  for each row when (old.name is distinct from new.name or old.description is distinct from new.description
    or old.labels is distinct from new.labels)
  execute function record_text_origins('name', 'description', 'labels');
create trigger text_origins_deleted after delete on project_tables
  for each row execute function remove_text_origins();

-- A block shows a table; `metadata` has its id.
alter table blocks drop constraint blocks_type_check;
alter table blocks add constraint blocks_type_check check (
  type in ('text', 'note', 'file', 'image', 'link', 'agent', 'task', 'group', 'embed', 'shape', 'drawing', 'table'));
-- What a share link's guests may see.
create index blocks_table on blocks (org_id, project_id, (metadata ->> 'tableId')) where type = 'table';

-- Agents that use the canvas may use tables.
update agent_versions set settings = jsonb_set(settings, '{tools,tables}', coalesce(settings #> '{tools,blocks}', 'false'))
where settings ? 'tools' and not (settings -> 'tools') ? 'tables';
do $$
declare
  definition text := pg_get_functiondef('add_assistant(uuid, timestamptz)'::regprocedure);
begin
  if position('"code": true}' in definition) = 0 then
    raise exception 'add_assistant() has no tool settings that end with "code"';
  end if;
  execute replace(definition, '"code": true}', '"code": true, "tables": true}');
end $$;
