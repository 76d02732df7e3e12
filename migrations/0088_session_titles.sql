-- Titles of conversations: a title that repeats the first message is provisional until a model replaces it.
alter table agent_sessions add title_is_provisional boolean not null default false;
