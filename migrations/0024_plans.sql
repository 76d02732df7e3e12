-- The id, sort key and time of the project's folder, for lists of the root folder. `audience_id` is the workspace whose
-- members see the project, the creator of a private project, or null while the project is in the trash. Without these
-- columns, the first page of a member who sees few of many projects would read all projects.
alter table project_workspaces
  add column audience_id uuid,
  add column folder_id uuid,
  add column folder_key text collate "C",
  add column folder_at timestamptz(3);

-- Updates these columns for all workspaces of a project.
create function refresh_audience(org uuid, project uuid) returns void language sql as $$
  update project_workspaces l set audience_id = s.audience_id, folder_id = s.id, folder_key = s.sort_key, folder_at = s.updated_at
  from (
    select w.workspace_id, f.id, f.sort_key, f.updated_at, case
      when f.id is null or p.deleted_at is not null then null
      when p.visibility = 'private' then p.user_id
      else w.workspace_id end as audience_id
    from projects p
    join project_workspaces w on w.org_id = p.org_id and w.project_id = p.id
    left join folders d on d.org_id = p.org_id and d.project_id = p.id and cardinality(d.path) = 2
    left join files f on f.org_id = d.org_id and f.id = d.id and f.deleted_at is null
    where p.org_id = org and p.id = project
  ) s
  where l.org_id = org and l.project_id = project and l.workspace_id = s.workspace_id
    and (l.audience_id, l.folder_id, l.folder_key, l.folder_at) is distinct from (s.audience_id, s.id, s.sort_key, s.updated_at)
$$;

create function refresh_audience_of_workspace() returns trigger language plpgsql as $$
begin
  perform refresh_audience(new.org_id, new.project_id);
  return null;
end $$;
create function refresh_audience_of_project() returns trigger language plpgsql as $$
begin
  perform refresh_audience(new.org_id, new.id);
  return null;
end $$;
create function refresh_audience_of_folder() returns trigger language plpgsql as $$
begin
  perform refresh_audience(d.org_id, d.project_id) from folders d where d.org_id = new.org_id and d.id = new.id;
  return null;
end $$;
create trigger project_workspaces_audience after insert on project_workspaces
  for each row execute function refresh_audience_of_workspace();
create trigger projects_audience after update of visibility, user_id, deleted_at on projects
  for each row when ((old.visibility, old.user_id, old.deleted_at) is distinct from (new.visibility, new.user_id, new.deleted_at))
  execute function refresh_audience_of_project();
create trigger files_audience_inserted after insert on files
  for each row when (new.protected) execute function refresh_audience_of_folder();
create trigger files_audience_updated after update of sort_key, updated_at, deleted_at on files
  for each row when (new.protected) execute function refresh_audience_of_folder();

update project_workspaces l set audience_id = s.audience_id, folder_id = s.id, folder_key = s.sort_key, folder_at = s.updated_at
from (
  select p.org_id, p.id as project_id, w.workspace_id, f.id, f.sort_key, f.updated_at, case
    when f.id is null or p.deleted_at is not null then null
    when p.visibility = 'private' then p.user_id
    else w.workspace_id end as audience_id
  from projects p
  join project_workspaces w on w.org_id = p.org_id and w.project_id = p.id
  left join folders d on d.org_id = p.org_id and d.project_id = p.id and cardinality(d.path) = 2
  left join files f on f.org_id = d.org_id and f.id = d.id and f.deleted_at is null
) s
where l.org_id = s.org_id and l.project_id = s.project_id and l.workspace_id = s.workspace_id;

create index project_workspaces_by_name on project_workspaces (org_id, audience_id, folder_key, folder_id)
  where audience_id is not null;
create index project_workspaces_newest on project_workspaces (org_id, audience_id, folder_at desc, folder_id desc)
  where audience_id is not null;
create index project_workspaces_largest on project_workspaces (org_id, audience_id, folder_id desc) where audience_id is not null;
create index project_workspaces_team_by_name on project_workspaces (org_id, folder_key, folder_id)
  where audience_id = workspace_id;
create index project_workspaces_team_newest on project_workspaces (org_id, folder_at desc, folder_id desc)
  where audience_id = workspace_id;
create index project_workspaces_team_largest on project_workspaces (org_id, folder_id desc) where audience_id = workspace_id;

-- Folder lists find the folders of projects, the only protected records, by the indexes above.
drop index files_by_name;
drop index files_newest;
drop index files_largest;
drop index files_others_by_name;
drop index files_others_newest;
drop index files_others_largest;
create index files_by_name on files (org_id, parent_id, rank, sort_key, id)
  where deleted_at is null and status = 'ready' and not protected;
create index files_newest on files (org_id, parent_id, updated_at desc, id desc)
  where deleted_at is null and status = 'ready' and not protected;
create index files_largest on files (org_id, parent_id, size desc, id desc)
  where deleted_at is null and status = 'ready' and not protected;
create index files_others_by_name on files (org_id, parent_id, source, sort_key, id)
  where deleted_at is null and status = 'ready' and not protected and source <> 'upload';
create index files_others_newest on files (org_id, parent_id, source, updated_at desc, id desc)
  where deleted_at is null and status = 'ready' and not protected and source <> 'upload';
create index files_others_largest on files (org_id, parent_id, source, size desc, id desc)
  where deleted_at is null and status = 'ready' and not protected and source <> 'upload';

-- Most folders are children of the root folder: without an index of the others, the planner expects that every folder
-- has many subfolders.
create index folders_nested on folders (org_id, parent_id) where cardinality(path) > 2;

create index runs_status on runs (org_id, project_id, status, id desc);

-- The number of members, which lists show for each organization and workspace.
alter table organizations add column member_count integer not null default 0;
alter table workspaces add column member_count integer not null default 0;
update organizations o set member_count = (select count(*) from memberships m where m.org_id = o.id);
update workspaces w set member_count = (
  select count(*) from workspace_members m where m.org_id = w.org_id and m.workspace_id = w.id);

-- Updates the numbers of members. A member who leaves an organization leaves several workspaces, so workspaces are
-- locked in the order of their ids to prevent deadlocks.
create function count_members() returns trigger language plpgsql as $$
declare
  sign integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  if tg_table_name = 'memberships' then
    update organizations o set member_count = o.member_count + sign * c.count
    from (select org_id, count(*)::int as count from changed group by org_id) c where o.id = c.org_id;
  else
    perform from workspaces w where (w.org_id, w.id) in (select org_id, workspace_id from changed)
      order by w.org_id, w.id for no key update;
    update workspaces w set member_count = w.member_count + sign * c.count
    from (select org_id, workspace_id, count(*)::int as count from changed group by 1, 2) c
    where w.org_id = c.org_id and w.id = c.workspace_id;
  end if;
  return null;
end $$;
create trigger memberships_inserted after insert on memberships referencing new table as changed
  for each statement execute function count_members();
create trigger memberships_deleted after delete on memberships referencing old table as changed
  for each statement execute function count_members();
create trigger workspace_members_inserted after insert on workspace_members referencing new table as changed
  for each statement execute function count_members();
create trigger workspace_members_deleted after delete on workspace_members referencing old table as changed
  for each statement execute function count_members();

-- The type and the direction of the event, which never change, for the filters of the list of deliveries.
alter table deliveries add column event_type text, add column event_direction text;
update deliveries d set event_type = e.type, event_direction = e.direction
from events e where e.org_id = d.org_id and e.id = d.event_id;
alter table deliveries alter column event_type set not null, alter column event_direction set not null;
create index deliveries_internal on deliveries (org_id, webhook_id, event_id desc) where event_direction = 'internal';
create index deliveries_type on deliveries (org_id, webhook_id, event_type text_pattern_ops, event_id desc);
create index events_webhook_type on events (org_id, webhook_id, type text_pattern_ops, id desc) where webhook_id is not null;
create index events_webhook_internal on events (org_id, webhook_id, id desc)
  where webhook_id is not null and direction = 'internal';
create index events_webhook_status on events (org_id, webhook_id, status, id desc) where webhook_id is not null;
