-- Search: one table has an entry for every searchable record. Triggers of the tables of these records maintain it, in
-- the transaction of the change.

-- Finds titles by parts of words, and with two typing errors in a word. Without the extension, search tolerates one
-- error.
do $$ begin
  create extension if not exists pg_trgm;
exception when others then
  raise notice 'pg_trgm is not available: search tolerates one typing error in a word';
end $$;

-- Returns a text in lower case, without accents: `Größe`, `GRÖSSE` and `grosse` are one word.
-- `server/features/search/fold.ts` returns the same.
create function search_fold(value text) returns text language sql immutable strict parallel safe as $$
  select case when octet_length(value) = length(value) then lower(value)
    else replace(lower(regexp_replace(normalize(value, NFKD), '[\u0300-\u036f]+', '', 'g')), 'ß', 'ss') end
$$;

-- Returns a folded text with spaces for punctuation: the parser would treat email addresses, paths and file names as
-- one word.
create function search_words(value text) returns text language sql immutable strict parallel safe as $$
  select translate(search_fold(value), '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', '                                ')
$$;

-- Returns the words of an entry, unchanged and as English stems. Lexemes that begin with `=` are not from the text:
-- `=t` precedes the words of the title, `=s` the space and `=k` the type, so that one index lookup combines them.
create function search_vector(title text, body text, space uuid, type text) returns tsvector
language sql immutable parallel safe as $$
  select setweight(s.title, 'A') || s.body || array_to_tsvector(
    array(select '=t' || w from unnest(tsvector_to_array(s.title)) w) || array['=s' || space, '=k' || type])
  from (select
    to_tsvector('pg_catalog.simple', search_words(title)) || to_tsvector('pg_catalog.english', search_words(title)) as title,
    to_tsvector('pg_catalog.simple', search_words(body)) || to_tsvector('pg_catalog.english', search_words(body)) as body
  ) s
$$;

-- One row per searchable record, such as a project, a file or a message.
create table search_entries (
  org_id uuid not null,
  type text not null,
  id uuid not null,
  -- The project of a block, whose id is unique only in its project; for other types, the organization.
  scope_id uuid not null,
  -- Null for a record of the whole organization. For a file, access depends on its folder, which may have moved since.
  project_id uuid,
  -- The project, or the organization for a record without a project.
  space_id uuid not null,
  -- The session of a message or a run, the folder of a file, the number of a text message.
  parent_id uuid,
  author_id uuid,
  title text not null,
  title_key text not null,
  body text not null,
  tsv tsvector not null,
  updated_at timestamptz(3) not null,
  -- For a file: the object whose text is extracted into `body`, and when a worker extracts it.
  text_key text,
  text_due_at timestamptz(3),
  text_attempts smallint not null default 0,
  primary key (org_id, id, type, scope_id)
) with (fillfactor = 90);
-- Every search reads the pending list of the index, so its size is limited.
create index search_entries_words on search_entries using gin (org_id, tsv) with (gin_pending_list_limit = 256);
create index search_entries_title on search_entries (org_id, title_key text_pattern_ops) where title_key <> '';
create index search_entries_newest on search_entries (org_id, type, updated_at desc);
create index search_entries_space on search_entries (org_id, space_id, updated_at desc);
create index search_entries_author on search_entries (org_id, author_id, updated_at desc)
  where type in ('project', 'file', 'session', 'memory', 'skill', 'agent', 'schedule', 'webhook');
create index search_entries_text_due on search_entries (org_id, text_due_at) where text_due_at is not null;
do $$ begin
  create index search_entries_similar on search_entries using gin (org_id, title_key gin_trgm_ops)
    with (gin_pending_list_limit = 256) where title_key <> '';
  -- Titles with a word that is similar to this one, in no order: there may be many, and sorting would read them all. After
  -- the index, which loads the extension: without it, only a superuser may set one of its parameters.
  create function search_similar(org uuid, word text, most integer) returns setof search_entries language plpgsql stable
  set pg_trgm.word_similarity_threshold = 0.4 as $f$
  begin
    return query select e.* from search_entries e
      where e.org_id = org and e.title_key <> '' and word <% e.title_key limit most;
  end $f$;
exception when undefined_object then null;
end $$;
alter table search_entries set (autovacuum_analyze_threshold = 50, autovacuum_analyze_scale_factor = 0.05);

-- One row per record that a user opened, for the suggestions of an empty search box.
create table search_opened (
  org_id uuid not null,
  user_id uuid not null,
  type text not null,
  id uuid not null,
  opened_at timestamptz(3) not null,
  primary key (org_id, user_id, type, id)
);
create index search_opened_newest on search_opened (org_id, user_id, opened_at desc);

-- One row per backlog of the index: the records of a type from before this migration, or the files of a folder that
-- moved to another project.
create table search_backlog (
  org_id uuid not null,
  type text not null,
  folder_id uuid not null,
  after_scope uuid not null,
  after_id uuid not null,
  due_at timestamptz(3) not null,
  -- Grows if the folder moves again, which restarts the reading of its files.
  version integer not null default 1,
  primary key (org_id, type, folder_id)
);
create index search_backlog_due on search_backlog (org_id, due_at);

-- The columns of each table that search uses. Rows that a view does not contain have no entry.
create view search_source_project as
  select p.org_id, p.id, p.org_id as scope_id, p.id as project_id, null::uuid as parent_id, p.user_id as author_id,
    p.name as title, concat_ws(E'\n', p.description, p.prompt, array_to_string(p.tags, ' ')) as body, p.updated_at,
    null::text as text_key
  from projects p where p.purged_at is null;
create view search_source_file as
  select f.org_id, f.id, f.org_id as scope_id, (
      select s.project_id from folders s
      where s.org_id = f.org_id and s.id = case when f.source = 'folder' then f.id else f.parent_id end) as project_id,
    f.parent_id, f.created_by as author_id, f.name as title, '' as body, f.updated_at,
    -- Images, video, audio and fonts have no text; larger files have no preview either.
    case when f.size between 1 and 26214400 and f.mime_type !~ '^(image|video|audio|font)/' then f.object_key end as text_key
  from files f
  where f.status = 'ready' and f.source <> 'link' and not f.protected and f.deleted_at is null;
create view search_source_block as
  select b.org_id, b.id, b.project_id as scope_id, b.project_id, null::uuid as parent_id, b.created_by as author_id,
    coalesce(b.title, '') as title, coalesce(b.content, '') as body, b.updated_at, null::text as text_key
  from blocks b where coalesce(b.title, '') <> '' or coalesce(b.content, '') <> '';
create view search_source_session as
  select s.org_id, s.id, s.org_id as scope_id, s.project_id, null::uuid as parent_id, s.created_by as author_id,
    coalesce(s.title, '') as title, '' as body, s.last_message_at as updated_at, null::text as text_key
  from agent_sessions s where s.deleted_at is null and s.parent_run_id is null;
create view search_source_message as
  select m.org_id, m.id, m.org_id as scope_id, s.project_id, m.session_id as parent_id, m.author_id,
    '' as title, m.body, m.created_at as updated_at, null::text as text_key
  from messages m cross join lateral (
    select s.project_id, s.parent_run_id from agent_sessions s where s.org_id = m.org_id and s.id = m.session_id limit 1) s
  where m.body <> '' and m.role in ('user', 'assistant') and s.parent_run_id is null;
create view search_source_memory as
  select m.org_id, m.id, m.org_id as scope_id, m.project_id, null::uuid as parent_id, m.written_by as author_id,
    m.key as title, concat_ws(E'\n', m.content, array_to_string(m.tags, ' ')) as body, m.updated_at, null::text as text_key
  from memories m where m.status = 'active';
create view search_source_skill as
  select k.org_id, k.id, k.org_id as scope_id, null::uuid as project_id, null::uuid as parent_id, k.created_by as author_id,
    k.name as title, concat_ws(E'\n', k.description, (
      select v.content ->> 'instructions' from skill_versions v
      where v.org_id = k.org_id and v.skill_id = k.id and v.version = k.version)) as body, k.updated_at, null::text as text_key
  from skills k;
create view search_source_agent as
  select a.org_id, a.id, a.org_id as scope_id, null::uuid as project_id, null::uuid as parent_id, a.created_by as author_id,
    a.name as title, (
      select concat_ws(E'\n', v.settings ->> 'description', v.settings ->> 'prompt') from agent_versions v
      where v.org_id = a.org_id and v.agent_id = a.id and v.version = a.version) as body, a.updated_at, null::text as text_key
  from agents a;
create view search_source_schedule as
  select s.org_id, s.id, s.org_id as scope_id, s.project_id, null::uuid as parent_id, s.created_by as author_id,
    s.name as title, coalesce(s.message, '') as body, s.updated_at, null::text as text_key
  from schedules s;
-- Members see the name and the source of a webhook; its URL and its description are for admins.
create view search_source_webhook as
  select w.org_id, w.id, w.org_id as scope_id, null::uuid as project_id, null::uuid as parent_id, w.created_by as author_id,
    w.name as title, w.source as body, w.updated_at, null::text as text_key
  from webhooks w;
create view search_source_run as
  select r.org_id, r.id, r.org_id as scope_id, r.project_id, r.session_id as parent_id, r.created_by as author_id,
    coalesce(r.title, '') as title, '' as body, r.created_at as updated_at, null::text as text_key
  from runs r where r.agent_id is not null;
create view search_source_call as
  select c.org_id, c.id, c.org_id as scope_id, c.project_id, null::uuid as parent_id, c.created_by as author_id,
    case c.direction when 'inbound' then c.from_number else c.to_number end as title,
    concat_ws(E'\n', c.summary, c.from_number, c.to_number) as body, c.started_at as updated_at, null::text as text_key
  from calls c;
create view search_source_sms as
  select m.org_id, m.id, m.org_id as scope_id, m.project_id, m.number_id as parent_id, m.created_by as author_id,
    m.peer as title, m.body, m.created_at as updated_at, null::text as text_key
  from sms_messages m;

-- Deletes one entry. A statement for all removed rows would compare them with all entries if the table has no
-- statistics.
create function search_remove(org uuid, kind text, item uuid, scope uuid) returns void language plpgsql as $$
begin
  delete from search_entries e where e.org_id = org and e.id = item and e.type = kind and e.scope_id = scope;
end $$;

-- Creates for each type: `search_put_x`, which writes the entry of one record; triggers, which insert, update and
-- delete entries; and `search_fill_x`, which inserts the missing entries of the next records. An update writes the
-- entry only if it changes a searched column: moving a block does not.
do $do$
declare
  kind record;
  columns text := $q$org_id, type, id, scope_id, project_id, space_id, parent_id, author_id, title, title_key, body, tsv,
    updated_at, text_key, text_due_at$q$;
  entry text;
begin
  for kind in select * from (values
    ('project', 'projects', 'org_id', array['name', 'description', 'prompt', 'tags', 'purged_at']),
    ('file', 'files', 'org_id', array['name', 'parent_id', 'object_key', 'status', 'deleted_at']),
    ('block', 'blocks', 'project_id', array['title', 'content']),
    ('session', 'agent_sessions', 'org_id', array['title', 'deleted_at']),
    ('message', 'messages', 'org_id', array['body']),
    ('memory', 'memories', 'org_id', array['key', 'content', 'tags', 'status']),
    ('skill', 'skills', 'org_id', array['name', 'description', 'version']),
    ('agent', 'agents', 'org_id', array['name', 'version']),
    ('schedule', 'schedules', 'org_id', array['name', 'message']),
    ('webhook', 'webhooks', 'org_id', array['name', 'source']),
    ('run', 'runs', 'org_id', array['title']),
    ('call', 'calls', 'org_id', array['summary', 'from_number', 'to_number', 'project_id']),
    ('sms', 'sms_messages', 'org_id', array['body', 'project_id'])
  ) as k (type, relation, scope, searched)
  loop
    -- Titles and bodies are limited, so that no row is too large for an index.
    entry := format($q$
      s.org_id, %1$L, s.id, s.scope_id, s.project_id, coalesce(s.project_id, s.org_id), s.parent_id, s.author_id,
      left(s.title, 300), left(search_words(left(s.title, 300)), 200), left(coalesce(s.body, ''), 100000),
      search_vector(left(s.title, 300), left(coalesce(s.body, ''), 100000), coalesce(s.project_id, s.org_id), %1$L),
      s.updated_at, s.text_key, case when s.text_key is not null then s.updated_at end$q$, kind.type);

    execute format($q$
      create function search_put_%1$s(org uuid, item uuid, scope uuid) returns void language plpgsql as $f$
      begin
        insert into search_entries as e (%2$s)
        select %3$s from search_source_%1$s s
        where s.org_id = org and s.scope_id = scope and s.id = any(array[item]) order by s.id limit 1
        on conflict (org_id, id, type, scope_id) do update set project_id = excluded.project_id,
          space_id = excluded.space_id, parent_id = excluded.parent_id, author_id = excluded.author_id,
          title = excluded.title, title_key = excluded.title_key, updated_at = excluded.updated_at,
          -- The text of a file stays until its object changes.
          body = case when e.text_key = excluded.text_key then e.body else excluded.body end,
          tsv = case when e.text_key = excluded.text_key
            then search_vector(excluded.title, e.body, excluded.space_id, excluded.type) else excluded.tsv end,
          text_due_at = case when e.text_key = excluded.text_key then e.text_due_at else excluded.text_due_at end,
          text_attempts = case when e.text_key = excluded.text_key then e.text_attempts else 0 end,
          text_key = excluded.text_key;
        if not found then
          perform search_remove(org, %1$L, item, scope);
        end if;
      end $f$ $q$, kind.type, columns, entry);

    execute format($q$
      create function search_%1$s_inserted() returns trigger language plpgsql as $f$
      begin
        insert into search_entries (%2$s)
        select %3$s from changed c cross join lateral (
          select s.* from search_source_%1$s s
          where s.org_id = c.org_id and s.scope_id = c.%4$s and s.id = any(array[c.id]) order by s.id limit 1
        ) s on conflict do nothing;
        return null;
      end $f$;
      create function search_%1$s_updated() returns trigger language plpgsql as $f$
      begin
        perform search_put_%1$s(new.org_id, new.id, new.%4$s);
        return null;
      end $f$;
      create function search_%1$s_deleted() returns trigger language plpgsql as $f$
      begin
        perform search_remove(c.org_id, %1$L, c.id, c.%4$s) from changed c;
        return null;
      end $f$;
      create trigger search_inserted after insert on %5$I referencing new table as changed
        for each statement execute function search_%1$s_inserted();
      create trigger search_deleted after delete on %5$I referencing old table as changed
        for each statement execute function search_%1$s_deleted();
      create trigger search_updated after update on %5$I for each row when (%6$s)
        execute function search_%1$s_updated()$q$,
      kind.type, columns, entry, kind.scope, kind.relation,
      (select string_agg(format('old.%1$I is distinct from new.%1$I', name), ' or ') from unnest(kind.searched) name));

    -- Enters the next rows that are missing. The lock keeps a row that is deleted meanwhile from being entered after it.
    execute format($q$
      create function search_fill_%1$s(org uuid, after_scope uuid, after_id uuid, batch integer)
      returns table (scope uuid, id uuid) language plpgsql as $f$
      #variable_conflict use_column
      begin
        return query
        with page as materialized (
          select t.%4$s as scope, t.id from %5$I t
          where t.org_id = org and (t.%4$s, t.id) > (after_scope, after_id)
          order by t.%4$s, t.id limit batch for key share
        ), added as (
          insert into search_entries (%2$s)
          select %3$s from page c cross join lateral (
            select s.* from search_source_%1$s s
            where s.org_id = org and s.scope_id = c.scope and s.id = any(array[c.id]) order by s.id limit 1
          ) s on conflict do nothing
        )
        select p.scope, p.id from page p order by p.scope desc, p.id desc limit 1;
      end $f$ $q$, kind.type, columns, entry, kind.scope, kind.relation);

    insert into search_backlog (org_id, type, folder_id, after_scope, after_id, due_at)
    select o.id, kind.type, o.id, zero, zero, 'epoch'
    from organizations o, (values ('00000000-0000-0000-0000-000000000000'::uuid)) z (zero);
  end loop;
end $do$;

-- The prompt of an agent and the instructions of a skill are in their versions: a new version writes the entry.
create function search_agent_version_added() returns trigger language plpgsql as $$
begin
  perform search_put_agent(c.org_id, c.agent_id, c.org_id) from changed c;
  return null;
end $$;
create function search_skill_version_added() returns trigger language plpgsql as $$
begin
  perform search_put_skill(c.org_id, c.skill_id, c.org_id) from changed c;
  return null;
end $$;
create trigger search_inserted after insert on agent_versions referencing new table as changed
  for each statement execute function search_agent_version_added();
create trigger search_inserted after insert on skill_versions referencing new table as changed
  for each statement execute function search_skill_version_added();

-- When a folder moves to another project, a worker updates the spaces of its files, so that the time of the move does
-- not depend on their number. Access follows the folder immediately.
create function search_folder_moved() returns trigger language plpgsql as $$
begin
  insert into search_backlog as b (org_id, type, folder_id, after_scope, after_id, due_at)
  values (new.org_id, 'file', new.id, new.org_id, '00000000-0000-0000-0000-000000000000', 'epoch')
  on conflict (org_id, type, folder_id) do update set after_id = excluded.after_id, due_at = excluded.due_at,
    version = b.version + 1;
  return null;
end $$;
create trigger search_moved after update on folders for each row
  when (old.project_id is distinct from new.project_id) execute function search_folder_moved();

-- The search of conversations reads `search_entries` instead of this index.
drop index messages_body;
