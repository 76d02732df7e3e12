import type { InputOf } from '../../../contract/endpoint.ts'
import type { search } from '../../../contract/search/search.ts'
import { SEARCH_TYPES, type SearchType } from '../../../contract/search/search-options.ts'
import type { Caller, Context } from '../../context.ts'
import type { Sql } from '../../database/database.ts'
import { isUuid } from '../../security/ids.ts'
import { findByText, findByTitle, findNewest, type SearchTerms } from './candidate-queries.ts'
import { parseQuery, type Query } from './parse-query.ts'
import { type EntryKey, entryKey, type Item, present } from './present.ts'
import { listRecent } from './recent-queries.ts'
import { type Candidate, isSimilar, scoreCandidate } from './score.ts'
import { findSimilar } from './similar.ts'
import { allowedTypes, listSearchSpaces } from './visible.ts'

/** With this many matches among the newest records, words count as common. */
const COMMON_MIN = 30
/** With fewer results, similar titles are added. */
const RESULTS_MIN = 5
/** A sender's id is one word. */
const EXTERNAL_ID = /^\S{6,200}$/

export async function find(ctx: Context, input: InputOf<typeof search.find>): Promise<{ items: Item[] }> {
  const { q = '', limit, projectId } = input
  const types = allowedTypes(ctx.caller).filter((type) => input.types?.includes(type) ?? true)
  const spaces = await listSearchSpaces(ctx, projectId)
  if (types.length === 0) return { items: [] }
  if (q === '') {
    const keys = await listRecent(ctx.sql, ctx.caller, { types, spaces, limit })
    return { items: await present(ctx, keys, null) }
  }
  const byId = await findById(ctx, q, { types, spaces: projectId === undefined ? null : spaces })
  if (isUuid(q)) return { items: byId.slice(0, limit) }
  const hasAllTypes = types.length === SEARCH_TYPES.length
  const found = await findText(ctx, parseQuery(q), { types, hasAllTypes, spaces, limit })
  return { items: [...byId, ...found].slice(0, limit) }
}

async function findById(
  { sql, caller, origin, ...ctx }: Context,
  q: string,
  { types, spaces }: { types: readonly SearchType[]; spaces: readonly string[] | null },
): Promise<Item[]> {
  if (!EXTERNAL_ID.test(q)) return []
  const isInScope = (type: SearchType) => types.includes(type)
  const [keys, events] = await Promise.all([
    isUuid(q) ? listByUuid(sql, caller, q.toLowerCase()) : listByProviderId(sql, caller, q),
    isInScope('event') && spaces === null ? listEvents(sql, caller.orgId, q) : [],
  ])
  const inScope = keys.filter(({ type }) => isInScope(type))
  const items = await present({ sql, caller, origin, ...ctx }, inScope, null)
  return [
    ...items.filter(({ projectId }) => spaces === null || (projectId !== null && spaces.includes(projectId))),
    ...events.map(
      ({ id, type, source, receivedAt }): Item => ({
        type: 'event',
        id,
        title: type,
        snippet: source,
        url: `${origin.baseUrl}/webhooks/events/${id}`,
        projectId: null,
        updatedAt: receivedAt,
      }),
    ),
  ]
}

interface TextSearch extends Pick<SearchTerms, 'types' | 'hasAllTypes' | 'spaces'> {
  limit: number
}

async function findText(ctx: Context, query: Query, { limit, ...where }: TextSearch): Promise<Item[]> {
  if (query.text === null) return []
  const { text, words, isExact } = query
  const candidates = await collect(ctx, query, { ...where, text, beginning: words.join(' '), isExact })
  const chosen = choose(candidates, query, ctx.now(), limit)
  return present(ctx, chosen, query)
}

/** Searches all words and similar titles only if results are few. */
async function collect({ sql, caller }: Context, query: Query, terms: SearchTerms): Promise<Candidate[]> {
  const newest = await findNewest(sql, caller, terms)
  const inTitles = newest.filter(({ titleKey }) => isSimilar(titleKey, query))
  const titles = await findByTitle(sql, caller, terms, inTitles.length >= COMMON_MIN)
  const byText = newest.length < COMMON_MIN ? await findByText(sql, caller, terms) : []
  const found = [...titles, ...newest, ...byText]
  if (found.length >= RESULTS_MIN) return found
  return [...found, ...(await findSimilar(sql, caller, query, terms, RESULTS_MIN))]
}

/** At most half from one type if others remain, so messages don't hide a file. */
function choose(candidates: Candidate[], query: Query, now: Date, limit: number): Candidate[] {
  const unique = new Map(candidates.map((candidate) => [entryKey(candidate), candidate]))
  const scored = [...unique.values()]
    .map((candidate) => ({ candidate, score: scoreCandidate(candidate, query, now) }))
    .toSorted((a, b) => b.score - a.score)
    .map(({ candidate }) => candidate)
  const counts = new Map<SearchType, number>()
  const isWithin = ({ type }: Candidate) => {
    const count = (counts.get(type) ?? 0) + 1
    counts.set(type, count)
    return count <= Math.ceil(limit / 2)
  }
  const [first, rest]: [Candidate[], Candidate[]] = [[], []]
  for (const candidate of scored) (isWithin(candidate) ? first : rest).push(candidate)
  return [...first, ...rest].slice(0, limit)
}

/** For a record without a page, its parent's entry too. `listEntries` decides what the caller sees. */
const listByUuid = (sql: Sql, { orgId }: Caller, id: string) => sql<EntryKey[]>`
  select e.type, e.id, e.scope_id as "scopeId" from search_entries e
  where e.org_id = ${orgId} and e.id in (
    select ${id}::uuid
    union all select s.project_id from project_shares s where s.org_id = ${orgId} and s.id = ${id}
    union all select a.run_id from approvals a where a.org_id = ${orgId} and a.id = ${id})
  limit 20`

const listByProviderId = (sql: Sql, { orgId }: Caller, id: string) => sql<EntryKey[]>`
  select 'call' as type, c.id, c.org_id as "scopeId" from calls c
  where c.org_id = ${orgId} and c.provider in ('twilio', 'openai', 'elevenlabs') and c.provider_id = ${id}
  union all
  select 'sms', m.id, m.org_id from sms_messages m where m.org_id = ${orgId} and m.provider_id = ${id}
  limit 20`

interface EventHit {
  id: string
  type: string
  source: string
  receivedAt: string
}

const listEvents = (sql: Sql, orgId: string, id: string) => {
  const byUuid = isUuid(id)
    ? sql`select ${id}::uuid union all
        select d.event_id from deliveries d where d.org_id = ${orgId} and d.id = ${id}::uuid union all`
    : sql``
  return sql<EventHit[]>`
    select v.id, v.type, v.source, v.received_at as "receivedAt" from events v
    where v.org_id = ${orgId} and v.id = any(array(
      ${byUuid} (select x.id from events x where x.org_id = ${orgId} and x.external_id = ${id} limit 20)))
    order by v.id desc limit 20`
}
