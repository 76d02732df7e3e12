import type { Fragment, Sql } from '../../database/database.ts'
import { indexedLexeme, indexedLexemes, indexedQuery } from './indexed-lexemes.ts'
import { parseQuery } from './parse-query.ts'

export function toTextQuery(sql: Sql, search: string): Fragment {
  const { text } = parseQuery(search)
  return text === null
    ? sql`''::tsquery`
    : sql`(to_tsquery('simple', ${text}) || to_tsquery('english', ${text}))`
}

export async function countNewestMatches(sql: Sql, orgId: string, words: Fragment, newest: number) {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int from (
      select e.tsv from search_entries e where e.org_id = ${orgId} and e.type = 'message'
      order by e.updated_at desc limit ${newest}
    ) e where e.tsv @@ ${words}`
  return row!.count
}

/** `message_id` is null if only the title matches. */
export const conversationMatches = (sql: Sql, orgId: string, words: Fragment, max: number): Fragment => {
  const types = `(${indexedLexeme(orgId, '=kmessage')} | ${indexedLexeme(orgId, '=ksession')})`
  return sql`
    with matching as materialized (
      select e.* from search_entries e
      where ${indexedLexemes(sql)} @@ (${indexedQuery(sql, orgId, words)} && ${types}::tsquery)
    )
    select distinct on (e.session_id) e.session_id, e.message_id
    from (
      select case m.type when 'session' then m.id else m.parent_id end as session_id,
        case m.type when 'message' then m.id end as message_id, m.updated_at
      from matching m where m.org_id = ${orgId} and m.tsv @@ ${words} limit ${max}
    ) e order by e.session_id, e.message_id is null, e.updated_at desc, e.message_id desc`
}

/** Null if only its title matches. */
export const newestConversationMatch = (sql: Sql, words: Fragment, max: number): Fragment => sql`
  select f.message_id from (
    (select m.id as message_id from (
      select m.id from messages m where m.org_id = s.org_id and m.session_id = s.id order by m.seq desc limit ${max}
    ) m cross join lateral (
      select e.tsv from search_entries e
      where e.org_id = s.org_id and e.id = any(array[m.id]) and e.type = 'message' order by e.id limit 1
    ) e where e.tsv @@ ${words} limit 1)
    union all
    (select null from (
      select e.tsv from search_entries e
      where e.org_id = s.org_id and e.id = any(array[s.id]) and e.type = 'session' order by e.id limit 1
    ) e where e.tsv @@ ${words})
  ) f order by f.message_id nulls last limit 1`

export const selectMatch = (sql: Sql, orgId: string, words: Fragment, messageId: Fragment): Fragment => sql`(
  select ts_headline('simple', left(e.body, 5000), ${words}, 'StartSel="", StopSel="", MaxWords=20, MinWords=8')
  from search_entries e
  where e.org_id = ${orgId} and e.id = any(array[${messageId}]) and e.type = 'message' order by e.id limit 1)`
