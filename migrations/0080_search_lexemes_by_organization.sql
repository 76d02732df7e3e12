-- Each word in the index begins with a part of the organization's id. With an index of `(org_id, tsv)`, a search for
-- the beginning of a word first read the entries of all organizations that have such words: PostgreSQL collects these
-- entries before it compares the organization.

-- Returns the words without their positions, which the index does not have, each with the last eight characters of the
-- organization's id as its prefix. Two organizations may have the same prefix, so a search also compares `org_id`.
-- `server/features/search/indexed-lexemes.ts` adds the prefix to queries. The function is not parallel safe: PostgreSQL
-- takes longer to start a parallel worker than to run most searches.
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
-- Every search reads the pending list of the index, so its size is limited.
create index search_entries_words on search_entries using gin (search_indexed_lexemes(org_id, tsv))
  with (gin_pending_list_limit = 256);
