-- Conversations that members pinned as knowledge: their messages are cut into passages.
alter table agent_sessions add column knowledge boolean not null default false;

-- Existing rows need no check: all of them meet the former constraint.
alter table passage_sources drop constraint passage_sources_type_check;
alter table passage_sources add constraint passage_sources_type_check
  check (type in ('file', 'block', 'memory', 'session')) not valid;

-- Like `passage_source_changed()`, but a few seconds later, so that a conversation's next messages are read together.
create function passage_session_messages_changed(org uuid, session uuid) returns void language plpgsql as $$
begin
  insert into passage_sources as p (org_id, id, type, item_id, scope_id, space_id, state, due_at)
  select s.org_id, gen_random_uuid(), 'session', s.id, s.org_id, s.project_id, 'waiting', now() + interval '5 seconds'
  from agent_sessions s
  where s.org_id = org and s.id = any(array[session]) and s.knowledge and s.deleted_at is null order by s.id limit 1
  on conflict (org_id, item_id, type, scope_id) do update
    -- Messages that keep arriving don't postpone it.
    set due_at = least(p.due_at, excluded.due_at), attempts = 0, revision = p.revision + 1;
end $$;

create function passage_session_updated() returns trigger language plpgsql as $$
begin
  perform passage_source_changed(new.org_id, 'session', new.id, new.org_id, new.project_id);
  return null;
end $$;
create trigger passages_session_updated after update on agent_sessions for each row
  when (old.knowledge is distinct from new.knowledge or new.knowledge and (old.title is distinct from new.title
      or old.deleted_at is distinct from new.deleted_at or old.project_id is distinct from new.project_id))
  execute function passage_session_updated();

create function passage_messages_changed() returns trigger language plpgsql as $$
begin
  perform passage_session_messages_changed(c.org_id, c.session_id)
  from (
    select distinct org_id, session_id from changed where role in ('user', 'assistant') and body <> ''
    order by org_id, session_id
  ) c;
  return null;
end $$;
create function passage_message_updated() returns trigger language plpgsql as $$
begin
  perform passage_session_messages_changed(new.org_id, new.session_id);
  return null;
end $$;
create trigger passages_inserted after insert on messages referencing new table as changed
  for each statement execute function passage_messages_changed();
create trigger passages_updated after update on messages for each row
  when (new.role in ('user', 'assistant') and (old.body is distinct from new.body or old.state is distinct from new.state
      or old.seq is distinct from new.seq))
  execute function passage_message_updated();
create trigger passages_deleted after delete on messages referencing old table as changed
  for each statement execute function passage_messages_changed();
