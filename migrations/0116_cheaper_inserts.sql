-- A new row of project_workspaces is written once, with the columns of 0024, instead of being inserted and updated.
create function set_audience() returns trigger language plpgsql as $$
declare
  project record;
begin
  select p.visibility, p.user_id, p.deleted_at, f.id, f.sort_key, f.updated_at into project
  from projects p
  left join folders d on d.org_id = p.org_id and d.project_id = p.id and cardinality(d.path) = 2
  left join files f on f.org_id = d.org_id and f.id = d.id and f.deleted_at is null
  where p.org_id = new.org_id and p.id = new.project_id;
  new.folder_id := project.id;
  new.folder_key := project.sort_key;
  new.folder_at := project.updated_at;
  new.audience_id := case
    when project.id is null or project.deleted_at is not null then null
    when project.visibility = 'private' then project.user_id
    else new.workspace_id end;
  return new;
end $$;
drop trigger project_workspaces_audience on project_workspaces;
create trigger project_workspaces_audience before insert on project_workspaces
  for each row execute function set_audience();
drop function refresh_audience_of_workspace();

-- A new project's folder is inserted before the project's workspaces.
create or replace function refresh_audience_of_folder() returns trigger language plpgsql as $$
begin
  perform refresh_audience(d.org_id, d.project_id) from folders d
  where d.org_id = new.org_id and d.id = new.id
    and exists (select from project_workspaces l where l.org_id = d.org_id and l.project_id = d.project_id);
  return null;
end $$;

-- As in 0064, but files that have no entry yet (an upload waiting for its content, a project's folder) take no time.
create or replace function search_file_inserted() returns trigger language plpgsql as $$
begin
  if not exists (select from changed where status = 'ready' and not protected) then
    return null;
  end if;
  insert into search_entries (org_id, type, id, scope_id, project_id, space_id, parent_id, author_id, title, title_key, body, tsv,
    updated_at, text_key, text_due_at)
  select s.org_id, 'file', s.id, s.scope_id, s.project_id, coalesce(s.project_id, s.org_id), s.parent_id, s.author_id,
    left(s.title, 300), left(search_words(left(s.title, 300)), 200), left(coalesce(s.body, ''), 100000),
    search_vector(left(s.title, 300), left(coalesce(s.body, ''), 100000), coalesce(s.project_id, s.org_id), 'file'),
    s.updated_at, s.text_key, case when s.text_key is not null then s.updated_at end
  from changed c cross join lateral (
    select s.* from search_source_file s
    where s.org_id = c.org_id and s.scope_id = c.org_id and s.id = any(array[c.id]) order by s.id limit 1
  ) s on conflict do nothing;
  return null;
end $$;

create or replace function passage_entries_inserted() returns trigger language plpgsql as $$
begin
  if exists (select from changed where type in ('block', 'memory')) then
    perform passage_source_changed(e.org_id, e.type, e.id, e.scope_id, e.space_id)
    from (select * from changed where type in ('block', 'memory') order by id) e;
  end if;
  return null;
end $$;
