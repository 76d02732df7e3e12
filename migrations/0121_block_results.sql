-- The block's result format when the workflow started; null for the agent's.
alter table workflow_blocks add column output_schema jsonb;
