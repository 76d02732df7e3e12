-- The retry that continues the block's list. Another one would run all of its items again.
alter table workflow_blocks add list_moved_to uuid;
