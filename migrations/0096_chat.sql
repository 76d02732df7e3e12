-- What a member thinks of an agent's answer. Only they see it.
create table message_ratings (
  org_id uuid not null,
  message_id uuid not null,
  user_id uuid not null references users,
  rating text not null check (rating in ('up', 'down')),
  comment text check (length(comment) between 1 and 1000),
  rated_at timestamptz(3) not null,
  primary key (org_id, message_id, user_id),
  foreign key (org_id, message_id) references messages (org_id, id) on delete cascade
);
create index message_ratings_user on message_ratings (org_id, user_id);

-- Replaces the agent's model in this conversation.
alter table agent_sessions add column model text;
