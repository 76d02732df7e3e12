-- The last run of an agent block: a block that is restored shows it again.
create index runs_block on runs (org_id, project_id, block_id, id desc) where block_id is not null;
