-- Whether the summary includes the earlier summaries, so that the context of the model begins with it. The earlier rows
-- stay, for the divider in the conversation and for the prompts of earlier steps.
alter table summaries add includes_earlier boolean not null default false;
