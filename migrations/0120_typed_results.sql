-- A run's result as data.
alter table runs
  -- From the message, the block or the agent when the run started; null if the answer is free text.
  add column output_schema jsonb,
  -- The last answer if it matches the schema. Null until the run has succeeded.
  add column output jsonb,
  -- How often the model was asked to correct its answer.
  add column output_repairs smallint not null default 0;
-- For the prompts of later runs in a conversation.
create index runs_typed on runs (org_id, session_id) where output_schema is not null;
