-- The id in manifests, if it isn't `id`: a table or view restored into another project keeps the manifest's, so that a
-- later restore finds it.
alter table project_tables add column manifest_id uuid;
create unique index project_tables_manifest on project_tables (org_id, project_id, (coalesce(manifest_id, id)));
alter table table_views add column manifest_id uuid;
