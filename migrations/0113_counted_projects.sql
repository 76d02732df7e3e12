-- The numbers of projects and of their blocks, and the size of their history, are counted like files (0019), so that
-- checking a quota doesn't read every project.
create function count_projects() returns trigger language plpgsql as $$
begin
  insert into quota_usage (org_id, quota, amount)
  select coalesce(new.org_id, old.org_id), quota, amount from (values
    ('projects', (new.id is not null and new.deleted_at is null)::int - (old.id is not null and old.deleted_at is null)::int),
    ('blocks', coalesce(new.block_count, 0) - coalesce(old.block_count, 0)),
    ('history', coalesce(new.history_bytes, 0) - coalesce(old.history_bytes, 0))
  ) each (quota, amount)
  where amount <> 0;
  return null;
end $$;
create trigger projects_counted after insert or delete on projects for each row execute function count_projects();
create trigger projects_recounted after update on projects for each row
  when ((old.deleted_at is null, old.block_count, old.history_bytes)
    is distinct from (new.deleted_at is null, new.block_count, new.history_bytes))
  execute function count_projects();

insert into quota_usage (org_id, quota, amount)
select org_id, quota, amount
from (
  select org_id, count(*) filter (where deleted_at is null) as projects, sum(block_count) as blocks, sum(history_bytes) as history
  from projects group by org_id
) p, lateral (values ('projects', p.projects), ('blocks', p.blocks), ('history', p.history)) each (quota, amount)
where amount <> 0;
