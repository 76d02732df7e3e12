import type { Sql } from '../../server/database/database.ts'
import type { World } from './seed.ts'

/** The maximum number of sources of each type: indexing more would take minutes. */
const SOURCES_MAX = 10_000
/** With the word of the requests. A more frequent word isn't looked up alone. */
const PHOTOS = 300

/** A passage for each memory and conversation, which are all pinned. */
export async function seedPassages(sql: Sql, { owner: { orgId } }: World): Promise<void> {
  await sql`update agent_sessions set knowledge = true where org_id = ${orgId}`
  const sources = (type: 'memory' | 'session') => sql`
    select id, coalesce(project_id, org_id) as space_id from ${sql(type === 'memory' ? 'memories' : 'agent_sessions')}
    where org_id = ${orgId} order by id limit ${SOURCES_MAX}`
  for (const type of ['memory', 'session'] as const)
    await sql`
      insert into passage_sources (org_id, id, type, item_id, scope_id, space_id, state, version, title, language, passages)
      select ${orgId}, gen_random_uuid(), ${type}, s.id, ${orgId}, s.space_id, 'ready', 1, '', 'english', 1
      from (${sources(type)}) s`
  await sql`
    insert into passages (org_id, source_id, ordinal, space_id, from_char, to_char, heading, context, language, text, length, tsv)
    select s.org_id, s.id, 0, s.space_id, 0, 9, '', '', 'english', t.text, 2,
      to_tsvector('english', t.text) || array_to_tsvector(string_to_array('=' || replace(t.text, ' ', ' ='), ' '))
    from (select *, row_number() over (partition by type order by id) as n from passage_sources where org_id = ${orgId}) s
    cross join lateral (select case when n <= ${PHOTOS} then 'photo zebra' else 'other words' end as text) t`
  await sql`
    insert into passage_terms (org_id, lexeme, space_id, passages)
    select p.org_id, l.lexeme, p.space_id, count(*) from passages p cross join lateral unnest(tsvector_to_array(p.tsv)) l (lexeme)
    where p.org_id = ${orgId} group by p.org_id, l.lexeme, p.space_id`
  await sql`
    insert into passage_counts (org_id, space_id, language, passages, words)
    select org_id, space_id, language, count(*), sum(length) from passages where org_id = ${orgId}
    group by org_id, space_id, language`
}
