-- The index of words has the organization in each word. With `(org_id, tsv)`, a search for the beginning of a word first read
-- the entries of all organizations that have such words: PostgreSQL collects these before it compares the organization.

-- The words without their positions, which an index does not have, each after the last eight characters of the organization's
-- id. Two organizations may share these: a search compares `org_id` too. `server/features/search/indexed-lexemes.ts` adds them to
-- queries. It is not parallel safe: PostgreSQL takes longer to start a parallel worker than to run most searches.
create function search_indexed_lexemes(org uuid, tsv tsvector) returns tsvector
language plpgsql immutable strict as $$
declare
  prefix text := right(org::text, 8);
begin
  -- No word contains a line break.
  return array_to_tsvector(string_to_array(
    prefix || array_to_string(tsvector_to_array(tsv), E'\n' || prefix), E'\n'));
end $$;

drop index search_entries_words;
-- The list of pending entries is read with every search, so it stays short.
create index search_entries_words on search_entries using gin (search_indexed_lexemes(org_id, tsv))
  with (gin_pending_list_limit = 256);
