-- Passages: pieces of files, notes and memories, which agents find and cite. Everything here is derived from these
-- records, and can be indexed again.

-- One row per file, note or memory that has been or will be cut into passages.
create table passage_sources (
  org_id uuid not null references organizations,
  id uuid not null,
  type text not null check (type in ('file', 'block', 'memory')),
  item_id uuid not null,
  -- The project of a block, whose id is unique only in its project; for other types, the organization.
  scope_id uuid not null,
  -- The project, or the organization for a source without a project, when it was indexed.
  space_id uuid not null,
  state text not null check (state in ('waiting', 'ready', 'failed', 'unsupported')),
  -- Why there are no passages, or not all.
  reason text,
  -- The version that was cut: a file's content number, the version of a block or memory.
  version integer not null default 0,
  title text not null default '',
  language text not null default 'simple',
  passages integer not null default 0,
  -- Pages, slides or sheets that were read. Null for other files.
  pages integer,
  truncated boolean not null default false,
  due_at timestamptz(3),
  attempts smallint not null default 0,
  -- Grows with each change, so that a change during the indexing is not lost.
  revision integer not null default 1,
  primary key (org_id, id),
  unique (org_id, item_id, type, scope_id)
) with (fillfactor = 80);
create index passage_sources_due on passage_sources (org_id, due_at) where due_at is not null;
create index passage_sources_space on passage_sources (org_id, space_id);

create table passages (
  org_id uuid not null,
  source_id uuid not null,
  ordinal integer not null,
  space_id uuid not null,
  -- Page, slide or sheet, from 1.
  page integer,
  -- In the extracted text, in UTF-16 code units.
  from_char integer not null,
  to_char integer not null,
  -- Headings from the outermost, separated by ` › `.
  heading text not null,
  -- A table's header row.
  context text not null,
  language text not null,
  text text not null,
  -- In words.
  length integer not null,
  -- Stems of the text (weight D), the headings (B) and the title (A), and after `=` all words as they are.
  tsv tsvector not null,
  primary key (org_id, source_id, ordinal),
  foreign key (org_id, source_id) references passage_sources (org_id, id)
);
create index passages_space on passages (org_id, space_id);

-- Like `search_indexed_lexemes()`: each word with a part of the organization's id before it, so that one organization's
-- search reads no other's words. `=s` precedes the space.
create function passage_lexemes(org uuid, space uuid, tsv tsvector) returns tsvector
language plpgsql immutable strict as $$
declare
  prefix text := right(org::text, 8);
begin
  return array_to_tsvector(string_to_array(
    prefix || '=s' || space || E'\n' || prefix || array_to_string(tsvector_to_array(tsv), E'\n' || prefix), E'\n'));
end $$;
-- Every search reads the pending list of the index, so its size is limited.
create index passages_words on passages using gin (passage_lexemes(org_id, space_id, tsv))
  with (gin_pending_list_limit = 256);
-- Words and text stay in the row: a search reads a few hundred passages, each of which would be several more reads.
alter table passages set (autovacuum_analyze_threshold = 200, autovacuum_analyze_scale_factor = 0.05,
  toast_tuple_target = 8160);

-- One row per word and space: how many passages have it. Per space, because what a caller can't see must not influence
-- the order of what they see.
create table passage_terms (
  org_id uuid not null,
  lexeme text collate "C" not null,
  space_id uuid not null,
  passages integer not null,
  primary key (org_id, lexeme, space_id)
) with (fillfactor = 80);
create index passage_terms_space on passage_terms (org_id, space_id);

-- One row per space and language.
create table passage_counts (
  org_id uuid not null,
  space_id uuid not null,
  language text not null,
  passages integer not null,
  words bigint not null,
  primary key (org_id, space_id, language)
) with (fillfactor = 80);

-- One row per organization and type whose records from before this migration still have to be indexed.
create table passage_backlog (
  org_id uuid not null references organizations,
  type text not null check (type in ('file', 'block', 'memory')),
  after_scope uuid not null,
  after_id uuid not null,
  due_at timestamptz(3) not null,
  primary key (org_id, type)
);
create index passage_backlog_due on passage_backlog (org_id, due_at);
insert into passage_backlog (org_id, type, after_scope, after_id, due_at)
select o.id, t.type, z.zero, z.zero, 'epoch'
from organizations o, (values ('file'), ('block'), ('memory')) t (type),
  (values ('00000000-0000-0000-0000-000000000000'::uuid)) z (zero);

-- Marks a source for the worker.
create function passage_source_changed(org uuid, kind text, item uuid, scope uuid, space uuid) returns void
language plpgsql as $$
begin
  insert into passage_sources as s (org_id, id, type, item_id, scope_id, space_id, state, due_at)
  values (org, gen_random_uuid(), kind, item, scope, space, 'waiting', now())
  on conflict (org_id, item_id, type, scope_id) do update
    set due_at = excluded.due_at, attempts = 0, revision = s.revision + 1;
end $$;

-- Search has an entry for every record that can be found, in the transaction of the record's change. New files wait for
-- their text in `search_entries`; the worker that extracts it stores the passages.
create function passage_entries_inserted() returns trigger language plpgsql as $$
begin
  perform passage_source_changed(e.org_id, e.type, e.id, e.scope_id, e.space_id)
  from (select * from changed where type in ('block', 'memory') order by id) e;
  return null;
end $$;
create function passage_entry_updated() returns trigger language plpgsql as $$
begin
  if new.type <> 'file' then
    perform passage_source_changed(new.org_id, new.type, new.id, new.scope_id, new.space_id);
  else
    update passage_sources s set due_at = now(), attempts = 0, revision = s.revision + 1
    where s.org_id = new.org_id and s.item_id = new.id and s.type = 'file' and s.scope_id = new.scope_id;
  end if;
  return null;
end $$;
create function passage_entries_deleted() returns trigger language plpgsql as $$
begin
  update passage_sources s set due_at = now(), attempts = 0, revision = s.revision + 1
  from (select * from changed where type in ('file', 'block', 'memory') order by id) e
  where s.org_id = e.org_id and s.item_id = e.id and s.type = e.type and s.scope_id = e.scope_id;
  return null;
end $$;
create trigger passages_inserted after insert on search_entries referencing new table as changed
  for each statement execute function passage_entries_inserted();
create trigger passages_updated after update on search_entries for each row
  when (new.type in ('block', 'memory') and (old.body is distinct from new.body or old.title is distinct from new.title
      or old.space_id is distinct from new.space_id)
    or new.type = 'file' and (old.title is distinct from new.title or old.space_id is distinct from new.space_id))
  execute function passage_entry_updated();
create trigger passages_deleted after delete on search_entries referencing old table as changed
  for each statement execute function passage_entries_deleted();
