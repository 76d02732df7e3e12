-- A search that scans files in list order reads their names from the index. A million files take about two seconds per
-- index, during which files can be read but not written; the former indexes are dropped last.
create index files_in_order on files (org_id, rank, sort_key, id) include (parent_id, search_key)
  where deleted_at is null and status = 'ready';
create index files_in_order_newest on files (org_id, updated_at desc, id desc) include (parent_id, search_key)
  where deleted_at is null and status = 'ready';
create index files_in_order_largest on files (org_id, size desc, id desc) include (parent_id, search_key)
  where deleted_at is null and status = 'ready';
create index files_in_trash on files (org_id, deleted_at desc, id desc) include (parent_id, search_key)
  where deleted_at is not null and not protected;
drop index files_everywhere, files_everywhere_newest, files_everywhere_largest, files_trash;
