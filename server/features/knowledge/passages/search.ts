import type { z } from 'zod'
import type { InputOf, OutputOf } from '../../../../contract/endpoint.ts'
import { PASSAGE_SOURCES } from '../../../../contract/knowledge/passage-options.ts'
import type { passages as endpoints, PassageItem } from '../../../../contract/knowledge/passages.ts'
import type { Caller, Context } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { sha256 } from '../../../security/digest.ts'
import { isProjectVisible } from '../../projects/access/access.ts'
import { findProjectId } from '../../search/search.ts'
import { findCandidates, type Scope } from './candidate-queries.ts'
import { type AskedQuestion, createQuestions } from './embeddings/embed-question.ts'
import type { EmbedderModels } from './embeddings/embedders.ts'
import { type Fused, type Fusion, fuse } from './embeddings/fuse.ts'
import { findNearest } from './embeddings/nearest.ts'
import { type Group, joinNeighbors } from './join-neighbors.ts'
import { loadTerms } from './query-terms.ts'
import { rank } from './rank.ts'
import type { SourceType } from './store.ts'
import { isSourceVisible } from './visible.ts'

type Item = z.output<typeof PassageItem>

export function searchPassages(models: EmbedderModels) {
  const prepareQuestion = createQuestions(models)
  return async (
    ctx: Context,
    { q, projectId, within, types, limit, explain }: InputOf<typeof endpoints.search>,
  ): Promise<OutputOf<typeof endpoints.search>> => {
    const began = performance.now()
    const spaces = await listSpaces(ctx, projectId)
    const scope = { spaces, within: within ?? null, types: types ?? PASSAGE_SOURCES }
    const asked = await prepareQuestion(ctx, { q, projectId: projectId === undefined ? null : spaces[0]! })
    const [{ query, candidates, ranked }, nearest] = await Promise.all([
      findByWords(ctx, q, scope),
      findByMeaning(ctx, asked, scope),
    ])
    const groups = joinNeighbors(fuse(ranked, nearest), limit)
    const items = await present(ctx, groups, explain ? query.stopWords : null)
    const tookMs = Math.round((performance.now() - began) * 10) / 10
    return { items, passages: query.passages, candidates: candidates.length, tookMs }
  }
}

async function findByWords({ sql, caller }: Context, q: string, scope: Scope) {
  const query = await loadTerms(sql, caller, q, scope.spaces)
  const candidates = await findCandidates(sql, caller, query, scope)
  return { query, candidates, ranked: rank(candidates, query) }
}

/** Null without an embedder, or if it doesn't respond. */
async function findByMeaning({ sql, caller }: Context, asked: AskedQuestion | null, scope: Scope) {
  const embedded = asked && (await asked())
  return embedded && findNearest(sql, caller, embedded, scope)
}

/** Projects with passages that the caller sees, and the organization. */
async function listSpaces(
  { sql, caller }: Pick<Context, 'sql' | 'caller'>,
  projectRef: string | undefined,
): Promise<string[]> {
  if (projectRef !== undefined) return [await findProjectId(sql, caller, projectRef)]
  const rows = await sql<{ id: string }[]>`
    select c.space_id as id from (
      select distinct c.space_id from passage_counts c where c.org_id = ${caller.orgId} and c.passages > 0
    ) c
    where c.space_id = ${caller.orgId} or ${isProjectVisible(sql, caller, sql`c.space_id`)}
    order by c.space_id`
  return rows.map(({ id }) => id)
}

async function present(
  { sql, caller, origin }: Context,
  groups: readonly Group<Fused>[],
  /** To explain the scores. Null otherwise. */
  stopWords: ReadonlySet<string> | null,
): Promise<Item[]> {
  const rows = await listRows(sql, caller, groups)
  const byKey = new Map(rows.map((row) => [`${row.sourceId} ${row.ordinal}`, row]))
  const keys = new Set<string>()
  return groups.flatMap(({ best, first, last }) => {
    const parts: Row[] = []
    for (let ordinal = first; ordinal <= last; ordinal++) {
      const row = byKey.get(`${best.sourceId} ${ordinal}`)
      if (row) parts.push(row)
    }
    const row = byKey.get(`${best.sourceId} ${best.ordinal}`)
    if (!row) return []
    // Neighbors on other pages, or of another table, aren't joined.
    const joined = parts.filter(({ page, context }) => page === row.page && context === row.context)
    const { from } = joined[0]!
    const { to } = joined.at(-1)!
    const body = joined.reduce(
      (text, part, index) =>
        index === 0 ? part.text : text + part.text.slice(Math.max(0, joined[index - 1]!.to - part.from)),
      '',
    )
    const key = keyOf(row, from, to, keys)
    return [
      {
        key,
        source: { type: row.type, id: row.itemId, name: row.name, version: row.version },
        // A conversation is cut at its questions, whose numbers are stored as pages.
        page: row.type === 'session' ? null : row.page,
        message: row.type === 'session' ? row.page : null,
        heading: row.heading || null,
        text: row.context === '' ? body : `${row.context}\n${body}`,
        score: round(best.score),
        coverage: round(best.coverage),
        from,
        to,
        projectId: row.projectId,
        url: origin.baseUrl + pathOf(row, caller.orgId),
        trust: row.isOutside ? ('outside' as const) : row.isOwn ? ('own' as const) : ('untrusted' as const),
        ...(stopWords && {
          parts: Object.fromEntries(
            Object.entries(best.parts).map(([name, value]) => [name, round(value)]),
          ) as Item['parts'],
          terms: best.terms.map(({ term, weight, passages }) => {
            const word = term.replace(/^=/, '')
            return { term: word, weight: round(weight), passages, stopWord: stopWords.has(word) }
          }),
          ...(best.fusion && { fusion: roundFusion(best.fusion) }),
        }),
      },
    ]
  })
}

const roundFusion = ({ words, meaning }: Fusion): Fusion => ({
  words: words && { ...words, score: round(words.score) },
  meaning: meaning && { ...meaning, similarity: round(meaning.similarity) },
})

const round = (value: number) => Math.round(value * 1000) / 1000

/** With its `k` eight characters: among 1,000 of a conversation's passages, two are alike once in 20,000 times. */
const KEY_LENGTH = 7
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/** From what it names, so that a repeated search has the same keys. Longer if two begin alike. */
function keyOf({ itemId, version }: Row, from: number, to: number, taken: Set<string>): string {
  const digest = sha256(`${itemId} ${version} ${from} ${to}`)
  const letters = [...digest].map((byte) => ALPHABET[byte % ALPHABET.length]!)
  // A digit tells keys from words.
  letters[0] = String(digest[0]! % 10)
  let length = KEY_LENGTH
  while (taken.has(`k${letters.slice(0, length).join('')}`)) length++
  const key = `k${letters.slice(0, length).join('')}`
  taken.add(key)
  return key
}

interface Row {
  sourceId: string
  ordinal: number
  type: SourceType
  itemId: string
  version: number
  name: string
  page: number | null
  heading: string
  context: string
  text: string
  from: number
  to: number
  projectId: string | null
  folderId: string | null
  isOwn: boolean
  isOutside: boolean
}

function pathOf({ type, itemId, page, projectId, folderId }: Row, orgId: string): string {
  if (type === 'block') return `/projects/${projectId}?block=${itemId}`
  if (type === 'memory') return `/memory?id=${itemId}`
  if (type === 'session') return `/chat/${itemId}?message=${page}`
  return `${folderId === orgId ? '/files' : `/files/${folderId}`}?file=${itemId}`
}

/** In a group. The limit makes it an index lookup. */
const PASSAGES_JOINED = 10

/** Checks access again: candidates were read in an earlier statement. */
const listRows = (sql: Sql, caller: Caller, groups: readonly Group[]) => sql<Row[]>`
  select p.source_id as "sourceId", p.ordinal, s.type, s.item_id as "itemId", s.version, p.page, p.heading, p.context,
    p.text, p.from_char as "from", p.to_char as "to", r.name, r."projectId", r."folderId", r."isOwn",
    r."isOutside"
  from unnest(${groups.map(({ best }) => best.sourceId)}::uuid[], ${groups.map(({ first }) => first)}::int[],
    ${groups.map(({ last }) => last)}::int[]) g (id, first, last)
  cross join lateral (
    select s.* from passage_sources s where s.org_id = ${caller.orgId} and s.id = any(array[g.id])
      and ${isSourceVisible(sql, caller)} order by s.id limit 1
  ) s
  cross join lateral (
    select * from (
      select f.name, d.project_id as "projectId", f.parent_id as "folderId", false as "isOwn",
        false as "isOutside"
      from files f cross join lateral (
        select d.project_id from folders d where d.org_id = ${caller.orgId} and d.id = any(array[f.parent_id])
        order by d.id limit 1
      ) d
      where s.type = 'file' and f.org_id = ${caller.orgId} and f.id = any(array[s.item_id]) order by f.id limit 1
    ) f
    union all
    select * from (
      select coalesce(nullif(b.title, ''), left(b.content, 60), ''), b.project_id, null::uuid,
        b.created_by is not distinct from ${caller.userId} and b.run_id is null and not exists (
          select from text_origins o where o.org_id = ${caller.orgId} and o.record_id = b.id),
        exists (
          select from text_origins o where o.org_id = ${caller.orgId} and o.record_id = b.id
            and o.hash in (text_hash(b.title), text_hash(b.content)))
      from blocks b
      where s.type = 'block' and b.org_id = ${caller.orgId} and b.project_id = any(array[s.scope_id])
        and b.id = any(array[s.item_id]) order by b.project_id, b.id limit 1
    ) b
    union all
    select * from (
      select m.key, m.project_id, null::uuid, m.written_by is not distinct from ${caller.userId} and m.source = 'person' and not exists (
          select from text_origins o where o.org_id = ${caller.orgId} and o.record_id = m.id),
        exists (
          select from text_origins o where o.org_id = ${caller.orgId} and o.record_id = m.id
            and o.hash in (text_hash(m.key), text_hash(m.content)))
      from memories m where s.type = 'memory' and m.org_id = ${caller.orgId} and m.id = any(array[s.item_id])
      order by m.id limit 1
    ) m
    union all
    select * from (
      select coalesce(nullif(a.title, ''), 'Conversation'), a.project_id, null::uuid,
        -- Nobody else has written in it, and no run in it has read anything untrusted.
        a.created_by is not distinct from ${caller.userId} and o."isTrusted" and not exists (
          select from messages m where m.org_id = ${caller.orgId} and m.session_id = a.id and m.role = 'user'
            and m.author_id is distinct from ${caller.userId}),
        not o."isTrusted"
      from agent_sessions a cross join lateral (
        select not exists (
            select from messages m where m.org_id = ${caller.orgId} and m.session_id = a.id and m.trust <> 'trusted')
          and not exists (
            select from runs r where r.org_id = ${caller.orgId} and r.session_id = a.id and r.trust <> 'trusted')
          and not exists (
            select from text_origins o where o.org_id = ${caller.orgId} and o.record_id = a.id) as "isTrusted"
      ) o
      where s.type = 'session' and a.org_id = ${caller.orgId} and a.id = any(array[s.item_id]) order by a.id limit 1
    ) a
  ) r
  cross join lateral (
    select p.* from passages p
    where p.org_id = ${caller.orgId} and p.source_id = any(array[s.id]) and p.ordinal between g.first and g.last
    order by p.source_id, p.ordinal limit ${PASSAGES_JOINED}
  ) p
  order by p.source_id, p.ordinal`
