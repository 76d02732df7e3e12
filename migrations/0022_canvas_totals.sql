-- Totals of a canvas, so that a write checks its limits without counting.
alter table projects add column block_count integer not null default 0;
alter table projects add column edge_count integer not null default 0;
-- The highest `z_index` that a block has had: a new block gets a higher one.
alter table projects add column z_index_max integer not null default 0;

update projects p set
  block_count = (select count(*) from blocks b where b.org_id = p.org_id and b.project_id = p.id),
  edge_count = (select count(*) from edges e where e.org_id = p.org_id and e.project_id = p.id),
  z_index_max = greatest(0, (select max(b.z_index) from blocks b where b.org_id = p.org_id and b.project_id = p.id));
