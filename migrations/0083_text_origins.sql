-- The texts of names, descriptions, tags and other short fields whose last author was a guest, a sender from outside, or
-- a run that had read untrusted content. Agents read such a text as data, and it lowers the trust of the run that reads
-- it. A row stays when a member writes another text, so that undoing this restores the author with the text: rows are
-- compared with the text that the field has now. (The history of a canvas has the authors of its blocks.)
create table text_origins (
  org_id uuid not null references organizations,
  record_id uuid not null,
  field text not null,
  -- The SHA-256 of the text. A field with several texts, such as tags, has a row for each.
  hash bytea not null,
  primary key (org_id, record_id, field, hash)
);
create index text_origins_hash on text_origins (org_id, hash);

-- Records the author of the fields in the arguments. `atrium.outside_author` is set in transactions of untrusted
-- authors (server/context.ts). A trusted author makes a text their own by writing another one; writing a text that an
-- untrusted author wrote, as copies and restores do, does not. Texts of less than 12 characters, such as common tags,
-- are too short to tell copies from coincidences.
create function record_text_origins() returns trigger language plpgsql as $$
declare
  is_outside boolean := coalesce(current_setting('atrium.outside_author', true), '') <> '';
  before jsonb;
  after jsonb;
  name text;
  old_texts text[];
  new_texts text[];
begin
  if tg_table_name = 'agent_sessions' then
    after := to_jsonb(new);
    is_outside := is_outside or after ->> 'origin' in ('provider', 'call') or exists (
      select from messages m where m.org_id = new.org_id and m.session_id = new.id and m.trust <> 'trusted');
  elsif tg_table_name = 'runs' then
    after := to_jsonb(new);
    is_outside := is_outside or after ->> 'trust' = 'untrusted'
      or (after ->> 'trust' = 'verified' and after ->> 'trust_reason' is null);
  end if;
  if not is_outside and not exists (select from text_origins o where o.org_id = new.org_id) then
    return null;
  end if;
  after := to_jsonb(new);
  before := case when tg_op = 'UPDATE' then to_jsonb(old) else '{}' end;
  -- A person who accepts a proposed memory has read it.
  if tg_table_name = 'memories' and not is_outside and before ->> 'status' <> 'active' and after ->> 'status' = 'active' then
    delete from text_origins o where o.org_id = new.org_id and o.record_id = new.id;
    return null;
  end if;
  foreach name in array tg_argv loop
    continue when before -> name = after -> name;
    old_texts := texts_in(before -> name);
    new_texts := texts_in(after -> name);
    insert into text_origins (org_id, record_id, field, hash)
    select new.org_id, new.id, name, text_hash(t) from unnest(new_texts) t
    where t <> all (old_texts) and (is_outside or (length(t) >= 12 and exists (
      select from text_origins o where o.org_id = new.org_id and o.hash = text_hash(t))))
    on conflict do nothing;
  end loop;
  return null;
end $$;

create function text_hash(value text) returns bytea language sql immutable parallel safe as $$
  select sha256(convert_to(value, 'UTF8'))
$$;

-- The texts of a field: none, one, or those of a list.
create function texts_in(value jsonb) returns text[] language sql immutable parallel safe as $$
  select case jsonb_typeof(value)
    when 'array' then array(select jsonb_array_elements_text(value))
    when 'string' then array[value #>> '{}']
    else '{}' end
$$;

create function remove_text_origins() returns trigger language plpgsql as $$
begin
  delete from text_origins o where o.org_id = old.org_id and o.record_id = old.id;
  return null;
end $$;

do $do$
declare
  tracked record;
begin
  for tracked in select * from (values
    ('projects', array['name', 'description', 'prompt', 'emoji', 'tags'], ''),
    ('files', array['name', 'tags'], ''),
    ('edges', array['label'], ''),
    ('snapshots', array['name'], ''),
    ('memories', array['key', 'content', 'tags'], 'old.status is distinct from new.status or '),
    ('feedback', array['message'], ''),
    ('feedback_comments', array['body'], ''),
    ('agent_sessions', array['title'], ''),
    ('runs', array['title'], '')
  ) as t (relation, fields, condition)
  loop
    execute format($q$
      create trigger text_origins_inserted after insert on %1$I
        for each row execute function record_text_origins(%2$s);
      create trigger text_origins_updated after update on %1$I
        for each row when (%3$s %4$s) execute function record_text_origins(%2$s)$q$,
      tracked.relation,
      (select string_agg(quote_literal(name), ', ') from unnest(tracked.fields) name),
      tracked.condition,
      (select string_agg(format('old.%1$I is distinct from new.%1$I', name), ' or ') from unnest(tracked.fields) name));
    -- A rewind or an undo creates a deleted edge again, with its text.
    continue when tracked.relation = 'edges';
    execute format('create trigger text_origins_deleted after delete on %I
      for each row execute function remove_text_origins()', tracked.relation);
  end loop;
end $do$;

-- The titles of conversations with senders from outside are the beginnings of their messages.
insert into text_origins (org_id, record_id, field, hash)
select s.org_id, s.id, 'title', text_hash(s.title) from agent_sessions s
where s.origin in ('provider', 'call') and s.title is not null
union
select r.org_id, r.id, 'title', text_hash(r.title) from runs r
where r.trigger in ('provider_event', 'call') and r.title is not null;
