-- Deleted projects are purged 30 days after their deletion. The row stays without content, because runs and usage refer
-- to it.
alter table projects
  add column purge_at timestamptz(3),
  add column purged_at timestamptz(3),
  -- When all content of the project had been deleted.
  add column emptied_at timestamptz(3);
-- Projects that were deleted before this migration get the whole period.
update projects set purge_at = now() + interval '30 days' where deleted_at is not null;
drop index projects_trash;
create index projects_trash on projects (org_id, deleted_at desc, id desc)
  where deleted_at is not null and purged_at is null;
create index projects_purge on projects (purge_at) where purge_at is not null and purged_at is null;
create index projects_to_empty on projects (purged_at) where purged_at is not null and emptied_at is null;
