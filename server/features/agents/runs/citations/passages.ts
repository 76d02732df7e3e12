import type { Fragment, Sql } from '../../../../database/database.ts'
import { citedPassages } from '../../../../tools/search-knowledge.ts'
import type { Citation } from '../../conversations/conversations.ts'

/** A card shows this much of a passage. */
const QUOTE_CHARACTERS = 1000

interface EndedCall {
  tool: string
  state: string
  output: unknown
  childRunId: string | null
}

/** What these calls gave the model to cite. */
const passagesOf = (calls: readonly EndedCall[]): Citation[] =>
  calls.flatMap(({ tool, state, output }) =>
    tool === 'search_knowledge' && state === 'done' ? toCitations(output) : [],
  )

const toCitations = (output: unknown): Citation[] =>
  citedPassages(output).map(({ key, source, page, message, heading, from, to, quote }) => {
    const isFile = source.type === 'file'
    return {
      key,
      source,
      fileId: isFile ? source.id : null,
      version: isFile ? source.version : null,
      page,
      ...(message !== undefined && { message }),
      heading,
      from,
      to,
      quote: quote.slice(0, QUOTE_CHARACTERS).toWellFormed(),
    }
  })

/** A key means the passage that had it last. */
export async function findPassages(
  sql: Sql,
  orgId: string,
  sessionId: string,
  keys: readonly string[],
): Promise<Map<string, Citation>> {
  const rows = await sql<{ passage: Citation }[]>`
    select p.passage from messages m cross join lateral jsonb_array_elements(m.passages) p (passage)
    where m.org_id = ${orgId} and m.session_id = ${sessionId} and m.passages is not null
      and p.passage ->> 'key' = any(${keys as string[]})
    order by m.seq`
  return new Map(rows.map(({ passage }) => [passage.key, passage]))
}

/** What the calls gave, and what the agents that they started have cited in their last answers. */
export const givenPassages = (sql: Sql, orgId: string, calls: readonly EndedCall[]): Fragment => {
  const own = passagesOf(calls)
  const children = calls.flatMap(({ childRunId }) => childRunId ?? [])
  if (children.length === 0) return own.length === 0 ? sql`null` : sql`${sql.json(own as never)}::jsonb`
  return sql`(
    select nullif(${sql.json(own as never)}::jsonb || coalesce(jsonb_agg(c.citation), '[]'), '[]')
    from messages m cross join lateral jsonb_array_elements(m.citations) c (citation)
    where m.org_id = ${orgId} and m.run_id = any(${children}::uuid[]) and m.citations is not null)`
}
