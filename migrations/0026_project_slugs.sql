-- Sets the slug of a project. Returns false if another project has the slug, also in a concurrent transaction. The
-- exception block rolls back only the update: the driver ends a transaction in which a statement fails.
create function claim_project_slug(org uuid, project uuid, claimed text) returns boolean
language plpgsql as $$
begin
  update projects set slug = claimed where org_id = org and id = project;
  return true;
exception when unique_violation then
  return false;
end $$;
