import type { ExtractedText } from '../../../../markdown/text-blocks.ts'
import type { Sql } from '../../../database/database.ts'
import { cutPassages, type Passage } from './cut.ts'
import { deleteEmbeddings, queueEmbedding } from './embeddings/embedders.ts'
import { detectLanguage, type Language } from './language.ts'
import { countWords, toExactWords, toStemmable } from './words.ts'

export type SourceType = 'file' | 'block' | 'memory' | 'session'

export interface SourceKey {
  type: SourceType
  itemId: string
  scopeId: string
}

export interface SourceContent {
  /** The project, or the organization. */
  spaceId: string
  version: number
  title: string
  text: ExtractedText
  /** It's indexed often, and most of it is as before: passages before the first change stay, with their vectors. */
  grows?: true
}

/** Of one source. The rest of a longer text isn't found. */
const PASSAGES_MAX = 15_000
/** Of one source, as they are written. Each is a row: random letters have a hundred times as many as running text. */
const WORDS_MAX = 200_000
/** Of one organization. Beyond this, new sources aren't indexed. */
const ORGANIZATION_PASSAGES_MAX = 1_000_000
const BATCH = 250

/** Must run in a transaction. Locks the source, so two workers can't both write it. */
export async function lockSource(
  sql: Sql,
  orgId: string,
  { type, itemId, scopeId }: SourceKey,
  spaceId: string,
): Promise<string> {
  const [row] = await sql<{ id: string }[]>`
    insert into passage_sources as s (org_id, id, type, item_id, scope_id, space_id, state)
    values (${orgId}, gen_random_uuid(), ${type}, ${itemId}, ${scopeId}, ${spaceId}, 'waiting')
    on conflict (org_id, item_id, type, scope_id) do update set attempts = s.attempts
    returning id`
  return row!.id
}

/** Replaces all passages of a locked source in its transaction, so a search sees the old ones or the new ones. */
export async function replacePassages(sql: Sql, orgId: string, id: string, content: SourceContent) {
  const { spaceId, version, title, text, grows } = content
  const all = cutPassages(text)
  const language = detectLanguage(text.text)
  const kept = grows ? await countUnchanged(sql, orgId, id, content, { language, passages: all }) : 0
  const unused = await deleteFrom(sql, orgId, id, kept)
  const isFull = (await countPassages(sql, orgId)) + all.length - kept > ORGANIZATION_PASSAGES_MAX
  if (isFull && kept > 0) unused.push(...(await deleteFrom(sql, orgId, id, 0)))
  const wanted = isFull ? 0 : Math.min(all.length, PASSAGES_MAX)
  const words = new Set<string>()
  let inserted = isFull ? 0 : kept
  while (inserted < wanted && words.size < WORDS_MAX) {
    const passages = all.slice(inserted, Math.min(inserted + BATCH, wanted))
    const batch = {
      sourceId: id,
      spaceId,
      title,
      text: text.text,
      language,
      start: inserted,
      passages,
      words,
    }
    await insertPassages(sql, orgId, batch)
    inserted += passages.length
  }
  await countTerms(sql, orgId, id, 1, kept)
  await deleteUnused(sql, orgId, unused)
  const truncated = text.truncated || inserted < all.length
  await sql`
    update passage_sources set state = ${isFull ? 'failed' : 'ready'}, reason = ${isFull ? 'limit' : null}, title = ${title},
      version = ${version}, space_id = ${spaceId}, language = ${language}, passages = ${inserted}, pages = ${text.pages},
      truncated = ${truncated}
    where org_id = ${orgId} and id = ${id}`
  if (inserted > 0) await queueEmbedding(sql, orgId, id)
}

/** For a source that can't be read. It keeps no passages. */
export async function markUnreadable(
  sql: Sql,
  orgId: string,
  id: string,
  { state, reason, version }: { state: 'failed' | 'unsupported'; reason: string | null; version: number },
) {
  await deletePassages(sql, orgId, id)
  await sql`
    update passage_sources set state = ${state}, reason = ${reason}, version = ${version}, passages = 0, pages = null,
      truncated = false
    where org_id = ${orgId} and id = ${id}`
}

export async function removeSource(sql: Sql, orgId: string, id: string) {
  await deletePassages(sql, orgId, id)
  await sql`delete from passage_sources where org_id = ${orgId} and id = ${id}`
}

async function deletePassages(sql: Sql, orgId: string, id: string) {
  await deleteUnused(sql, orgId, await deleteFrom(sql, orgId, id, 0))
}

/** Returns words that no passage has any more. */
async function deleteFrom(sql: Sql, orgId: string, id: string, ordinal: number): Promise<string[]> {
  const unused = await countTerms(sql, orgId, id, -1, ordinal)
  await sql`delete from passages where org_id = ${orgId} and source_id = ${id} and ordinal >= ${ordinal}`
  await deleteEmbeddings(sql, orgId, id, ordinal)
  return unused
}

interface Cut {
  language: Language
  passages: readonly Passage[]
}

/** Passages from the beginning that are stored as they would be now. */
async function countUnchanged(
  sql: Sql,
  orgId: string,
  id: string,
  { spaceId, title, text }: SourceContent,
  { language, passages }: Cut,
): Promise<number> {
  const stored = await sql<(Passage & { text: string })[]>`
    select p.page, p.from_char as "from", p.to_char as "to", p.heading, p.context, p.text from passage_sources s
    join passages p on p.org_id = ${orgId} and p.source_id = s.id
    where s.org_id = ${orgId} and s.id = ${id} and s.title = ${title} and s.space_id = ${spaceId}
      and s.language = ${language}
    order by p.ordinal`
  const changed = stored.findIndex((before, index) => {
    const now = passages[index]
    return (
      now === undefined ||
      now.page !== before.page ||
      now.from !== before.from ||
      now.to !== before.to ||
      toStorable(now.heading) !== before.heading ||
      toStorable(now.context) !== before.context ||
      toStorable(text.text.slice(now.from, now.to)) !== before.text
    )
  })
  return changed === -1 ? stored.length : changed
}

/** For a new title or space. Texts are as they were. */
export async function moveSource(
  sql: Sql,
  orgId: string,
  id: string,
  { title, spaceId }: { title: string; spaceId: string },
) {
  const unused = await countTerms(sql, orgId, id, -1)
  const titleWords = toExactWords(title)
  await sql`
    update passages p set space_id = ${spaceId},
      tsv = ts_filter(p.tsv, '{b,d}') || setweight(to_tsvector(p.language::regconfig, ${toStemmable(title)}), 'A')
        || to_tsvector('simple', '') || array_to_tsvector(array(
          select l from unnest(tsvector_to_array(p.tsv)) l where l like '=%')
          || ${titleWords.map((word) => `=${word}`)}::text[])
    where p.org_id = ${orgId} and p.source_id = ${id}`
  await sql`
    update passage_sources set title = ${title}, space_id = ${spaceId} where org_id = ${orgId} and id = ${id}`
  await countTerms(sql, orgId, id, 1)
  await deleteUnused(sql, orgId, unused)
}

async function countPassages(sql: Sql, orgId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select coalesce(sum(passages), 0)::float8 as count from passage_counts where org_id = ${orgId}`
  return row!.count
}

interface Batch {
  sourceId: string
  spaceId: string
  title: string
  text: string
  language: Language
  /** Ordinal of the first. */
  start: number
  passages: Passage[]
  /** Those of all batches so far. */
  words: Set<string>
}

async function insertPassages(sql: Sql, orgId: string, batch: Batch) {
  const { sourceId, spaceId, title, text, language, start, passages, words: known } = batch
  const titleStems = toStemmable(title)
  const rows = passages.map(({ page, from, to, heading, context }, index) => {
    const body = toStorable(text.slice(from, to))
    const whole = context === '' ? body : `${toStorable(context)}\n${body}`
    const words = toExactWords(`${title} ${heading} ${whole}`)
    for (const word of words) known.add(word)
    return {
      ordinal: start + index,
      page,
      from,
      to,
      heading: toStorable(heading),
      context: toStorable(context),
      body,
      length: Math.max(1, countWords(whole)),
      stems: toStemmable(whole),
      heading_stems: toStemmable(heading),
      words: words.map((word) => `=${word}`),
    }
  })
  await sql`
    insert into passages (org_id, source_id, ordinal, space_id, page, from_char, to_char, heading, context, language, text,
      length, tsv)
    select ${orgId}, ${sourceId}, r.ordinal, ${spaceId}, r.page, r."from", r."to", r.heading, r.context, ${language}, r.body,
      r.length, to_tsvector(${language}::text::regconfig, r.stems)
        || setweight(to_tsvector(${language}::text::regconfig, r.heading_stems), 'B')
        || setweight(to_tsvector(${language}::text::regconfig, ${titleStems}), 'A') || array_to_tsvector(r.words)
    from jsonb_to_recordset(${sql.json(rows)}) as r (ordinal int, page int, "from" int, "to" int, heading text, context text,
      body text, length int, stems text, heading_stems text, words text[])`
}

/**
 * Adds a source's passages from this one to the counts, or takes them away. One source of an organization at a time: others would
 * wait for the same frequent words, in another order. Returns words that no passage has any more.
 */
async function countTerms(
  sql: Sql,
  orgId: string,
  id: string,
  sign: 1 | -1,
  fromOrdinal = 0,
): Promise<string[]> {
  const [first] = await sql`
    select from passages where org_id = ${orgId} and source_id = ${id} and ordinal >= ${fromOrdinal} limit 1`
  if (!first) return []
  await lockCounts(sql, orgId)
  await sql`
    insert into passage_counts as c (org_id, space_id, language, passages, words)
    select ${orgId}::uuid, p.space_id, p.language, ${sign}::int * count(*), ${sign}::int * sum(p.length)
    from passages p where p.org_id = ${orgId} and p.source_id = ${id} and p.ordinal >= ${fromOrdinal}
    group by p.space_id, p.language
    on conflict (org_id, space_id, language) do update
      set passages = c.passages + excluded.passages, words = c.words + excluded.words`
  const unused = await sql<{ lexeme: string }[]>`
    with counted as (
      insert into passage_terms as t (org_id, lexeme, space_id, passages)
      select ${orgId}::uuid, l.lexeme, p.space_id, ${sign}::int * count(*)
      from passages p cross join lateral unnest(tsvector_to_array(p.tsv)) l (lexeme)
      where p.org_id = ${orgId} and p.source_id = ${id} and p.ordinal >= ${fromOrdinal}
      group by l.lexeme, p.space_id
      on conflict (org_id, lexeme, space_id) do update set passages = t.passages + excluded.passages
      returning t.lexeme, t.passages
    ) select c.lexeme from counted c where c.passages <= 0`
  return unused.map(({ lexeme }) => lexeme)
}

const deleteUnused = (sql: Sql, orgId: string, lexemes: string[]) =>
  lexemes.length === 0
    ? null
    : sql`
        delete from passage_terms
        where org_id = ${orgId} and lexeme = any(${lexemes}::text[]) and passages <= 0`

export const lockCounts = (sql: Sql, orgId: string) => sql`
  select pg_advisory_xact_lock(hashtextextended('passages' || ${orgId}::text, 0))`

/** PostgreSQL stores no NUL. */
const toStorable = (text: string) => text.toWellFormed().replaceAll('\0', ' ')
