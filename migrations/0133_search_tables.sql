-- Tables in the search: by name, description, columns and choices, as 0064 does for other records. Rows are searched in
-- their table.
create view search_source_table as
  select t.org_id, t.id, t.org_id as scope_id, t.project_id, null::uuid as parent_id, t.created_by as author_id,
    t.name as title, concat_ws(E'\n', t.description, array_to_string(t.labels, ' ')) as body, t.updated_at
  from project_tables t where t.deleted_at is null;

create function search_put_table(org uuid, item uuid, scope uuid) returns void language plpgsql as $$
begin
  insert into search_entries as e (org_id, type, id, scope_id, project_id, space_id, parent_id, author_id, title, title_key, body, tsv,
    updated_at)
  select s.org_id, 'table', s.id, s.scope_id, s.project_id, coalesce(s.project_id, s.org_id), s.parent_id, s.author_id,
    left(s.title, 300), left(search_words(left(s.title, 300)), 200), left(coalesce(s.body, ''), 100000),
    search_vector(left(s.title, 300), left(coalesce(s.body, ''), 100000), coalesce(s.project_id, s.org_id), 'table'),
    s.updated_at
  from search_source_table s
  where s.org_id = org and s.scope_id = scope and s.id = any(array[item]) order by s.id limit 1
  on conflict (org_id, id, type, scope_id) do update set title = excluded.title, title_key = excluded.title_key,
    body = excluded.body, tsv = excluded.tsv, updated_at = excluded.updated_at;
  if not found then
    perform search_remove(org, 'table', item, scope);
  end if;
end $$;

create function search_table_inserted() returns trigger language plpgsql as $$
begin
  perform search_put_table(new.org_id, new.id, new.org_id);
  return null;
end $$;
create function search_table_deleted() returns trigger language plpgsql as $$
begin
  perform search_remove(c.org_id, 'table', c.id, c.org_id) from changed c;
  return null;
end $$;
create trigger search_inserted after insert on project_tables for each row execute function search_table_inserted();
create trigger search_deleted after delete on project_tables referencing old table as changed
  for each statement execute function search_table_deleted();
-- Writing rows changes none of these.
create trigger search_updated after update on project_tables for each row when (
  old.name is distinct from new.name or old.description is distinct from new.description
  or old.labels is distinct from new.labels or old.deleted_at is distinct from new.deleted_at)
  execute function search_table_inserted();

create function search_fill_table(org uuid, after_scope uuid, after_id uuid, batch integer)
returns table (scope uuid, id uuid) language plpgsql as $$
#variable_conflict use_column
begin
  return query
  with page as materialized (
    select t.org_id as scope, t.id from project_tables t
    where t.org_id = org and (t.org_id, t.id) > (after_scope, after_id)
    order by t.org_id, t.id limit batch for key share
  ), added as (
    insert into search_entries (org_id, type, id, scope_id, project_id, space_id, parent_id, author_id, title, title_key, body, tsv,
      updated_at)
    select s.org_id, 'table', s.id, s.scope_id, s.project_id, coalesce(s.project_id, s.org_id), s.parent_id, s.author_id,
    left(s.title, 300), left(search_words(left(s.title, 300)), 200), left(coalesce(s.body, ''), 100000),
    search_vector(left(s.title, 300), left(coalesce(s.body, ''), 100000), coalesce(s.project_id, s.org_id), 'table'),
    s.updated_at
    from page c cross join lateral (
      select s.* from search_source_table s
      where s.org_id = org and s.scope_id = c.scope and s.id = any(array[c.id]) order by s.id limit 1
    ) s on conflict do nothing
  )
  select p.scope, p.id from page p order by p.scope desc, p.id desc limit 1;
end $$;

insert into search_backlog (org_id, type, folder_id, after_scope, after_id, due_at)
select distinct t.org_id, 'table', t.org_id, zero, zero, 'epoch'::timestamptz
from project_tables t, (values ('00000000-0000-0000-0000-000000000000'::uuid)) z (zero);
