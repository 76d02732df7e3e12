-- A summary that unites the earlier ones with the messages that it replaces: the context begins with it. The earlier ones stay,
-- for the divider in the conversation and for the prompts of earlier steps.
alter table summaries add includes_earlier boolean not null default false;
