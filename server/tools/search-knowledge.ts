import { z } from 'zod'
import type { OutputOf } from '../../contract/endpoint.ts'
import { PASSAGE_SOURCES } from '../../contract/knowledge/passage-options.ts'
import { passages } from '../../contract/knowledge/passages.ts'
import { stableFence } from '../language-models/fence.ts'
import { callEndpoint } from './call-endpoint.ts'
import { clip } from './clip.ts'
import { findFile } from './files/file-refs.ts'
import { isTrusted, resolveProject } from './project-ref.ts'
import type { Tool, ToolCall } from './tool.ts'

type SourceType = (typeof PASSAGE_SOURCES)[number]
type Passage = OutputOf<typeof passages.search>['items'][number]

const QUERIES_MAX = 5
const RESULTS_MAX = 20
/** Below the size at which an output becomes a file. */
const ANSWER_BYTES = 40_000
/** A passage with less of a question's words is hardly about it. */
const COVERAGE_MIN = 0.3
const ALL_PROJECTS = 'all'

const input = z.strictObject({
  queries: z
    .array(z.string().min(1).max(500))
    .min(1)
    .max(QUERIES_MAX)
    .describe('The question, and other ways to put it: synonyms, names, the language of the documents'),
  project: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe(
      'Id, slug or exact name; default: what the agent knows, else this run’s project. `all` searches everything that you can see',
    ),
  files: z
    .array(z.string().min(1).max(2000))
    .max(20)
    .optional()
    .describe('Only in these files: ids, paths in the project folder, or exact names'),
  limit: z.int().min(1).max(RESULTS_MAX).default(8),
})

/** Other kinds of sources are never found. */
export function searchKnowledge(
  allowed: readonly SourceType[] = PASSAGE_SOURCES,
): Tool<z.output<typeof input>> {
  return {
    name: 'search_knowledge',
    description:
      'Find passages in files, notes, memory and pinned conversations that answer a question. Use it before you answer from documents. After each sentence that relies on a passage, cite it by writing its key in brackets, such as [k3f9a2x7]. If no passage answers the question, say so.',
    input,
    effect: 'read',
    risk: 'none',
    isOutside: (output) => (output as { outside?: boolean }).outside === true,
    async run(call, { queries, project: ref, files, limit }) {
      const known = call.knowledge ?? []
      // Without a project, what the agent knows is the limit.
      const projectId =
        ref === undefined && known.length > 0 && isTrusted(call) ? null : await projectOf(call, ref)
      const within = files ? await findFiles(call, projectId, files) : known
      const query = {
        types: allowed.join(','),
        limit,
        ...(projectId !== null && { projectId }),
        ...(within.length > 0 && { within: within.join(',') }),
      }
      const found: Passage[][] = []
      for (const q of queries)
        found.push((await callEndpoint(call, passages.search, { query: { ...query, q } })).items)
      const merged = mergeResults(found, limit)
      return answer(merged, await findOutside(call, merged))
    },
  }
}

/**
 * Passages that a guest, a sender from outside or an untrusted run wrote. Any member's upload, and what they paste into a
 * conversation, may contain such text.
 */
async function findOutside(call: ToolCall, found: Passage[]): Promise<ReadonlySet<Passage>> {
  const blocks = new Set<string>()
  const byProject = Map.groupBy(
    found.filter(({ source }) => source.type === 'block'),
    ({ projectId }) => projectId!,
  )
  for (const [projectId, passages] of byProject) {
    const ids = [...new Set(passages.map(({ source }) => source.id))]
    for (const id of await call.findOutsideBlocks(projectId, ids, ['title', 'content'])) blocks.add(id)
  }
  return new Set(
    found.filter(
      ({ source, trust }) =>
        source.type === 'file' ||
        (source.type === 'session' && trust !== 'own') ||
        trust === 'outside' ||
        blocks.has(source.id),
    ),
  )
}

/** Null: everything that the caller can see. */
async function projectOf(call: ToolCall, ref: string | undefined): Promise<string | null> {
  const isAll = ref === ALL_PROJECTS || (ref === undefined && call.projectId === null)
  if (isAll && isTrusted(call)) return null
  return (await resolveProject(call, ref === ALL_PROJECTS ? undefined : ref)).id
}

async function findFiles(call: ToolCall, projectId: string | null, refs: string[]): Promise<string[]> {
  const project = await resolveProject(call, projectId ?? undefined)
  const ids: string[] = []
  for (const [index, ref] of refs.entries())
    ids.push((await findFile(call, project, ref, `files.${index}`)).id)
  return ids
}

/** Takes turns between queries: their scores can't be compared. */
function mergeResults(lists: Passage[][], limit: number): Passage[] {
  const merged = new Map<string, Passage>()
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  for (let rank = 0; rank < longest; rank++)
    for (const list of lists) {
      const passage = list[rank]
      if (passage && merged.size < limit && !merged.has(passage.key)) merged.set(passage.key, passage)
    }
  return [...merged.values()]
}

function answer(found: Passage[], outside: ReadonlySet<Passage>) {
  if (found.length === 0)
    return {
      passages: [],
      note: 'Nothing was found. Try other words; if that fails too, say that the documents don’t answer this',
    }
  const shown: object[] = []
  let bytes = 0
  for (const passage of found) {
    const item = show(passage, outside.has(passage))
    bytes += Buffer.byteLength(JSON.stringify(item))
    if (bytes > ANSWER_BYTES && shown.length > 0) break
    shown.push(item)
  }
  const isWeak = found.every(({ coverage }) => coverage < COVERAGE_MIN)
  return {
    passages: shown,
    ...(isWeak && {
      note: 'These passages have few of the question’s words and may be about something else. If they don’t answer it, say so',
    }),
    ...(outside.size > 0 && { outside: true }),
  }
}

const QUOTE_BYTES = ANSWER_BYTES / 4

/** A heading is the author's text too. A file's name is fenced by the guard if an outsider chose it; a note's may be its text. */
function show(passage: Passage, isOutside: boolean) {
  const { key, source, page, message, heading, text, from, to, projectId, trust } = passage
  const quote = clip(text, QUOTE_BYTES).text
  const isOwn = trust === 'own' && !isOutside
  const name =
    isOutside && source.type !== 'file' ? stableFence(source.name, NAMES[source.type]) : source.name
  const place = {
    ...(page !== null && { page }),
    ...(message !== null && { message }),
    from,
    to,
    projectId,
  }
  const shown = { key: `[${key}]`, source: { ...source, name }, ...place }
  if (isOwn) return { ...shown, ...(heading !== null && { heading }), text: quote }
  if (heading === null) return { ...shown, text: stableFence(quote, NAMES[source.type]) }
  return {
    ...shown,
    hasHeading: true,
    text: stableFence(heading + HEADING_END + quote, NAMES[source.type]),
  }
}

/** A heading has no line breaks. */
const HEADING_END = '\n\n'

const NAMES: Record<SourceType, string> = {
  file: 'a file',
  block: 'a note',
  memory: 'the memory',
  session: 'a conversation',
}

export interface CitedPassage {
  key: string
  source: Passage['source']
  page: number | null
  message?: number | undefined
  heading: string | null
  from: number
  to: number
  projectId: string | null
  quote: string
}

/** What each key of a stored output names, for an answer that cites it. */
export function citedPassages(output: unknown): CitedPassage[] {
  const stored = StoredOutput.safeParse(output)
  if (!stored.success) return []
  return stored.data.passages.map(
    ({ key, source, text, page = null, heading = null, hasHeading, ...rest }) => {
      const inner = withoutFence(text)
      const end = hasHeading ? inner.indexOf(HEADING_END) : -1
      return {
        key: key.slice(1, -1),
        source: { ...source, name: withoutFence(source.name) },
        page,
        heading: end === -1 ? heading : inner.slice(0, end),
        ...rest,
        quote: end === -1 ? inner : inner.slice(end + HEADING_END.length),
      }
    },
  )
}

const StoredOutput = z.object({
  passages: z.array(
    z.object({
      key: z.string().regex(/^\[k[0-9a-z]+\]$/),
      source: z.object({
        type: z.enum(PASSAGE_SOURCES),
        id: z.string(),
        name: z.string(),
        version: z.int(),
      }),
      page: z.int().optional(),
      message: z.int().optional(),
      heading: z.string().optional(),
      hasHeading: z.boolean().optional(),
      from: z.int(),
      to: z.int(),
      projectId: z.string().nullable(),
      text: z.string(),
    }),
  ),
})

/** A text may be fenced twice: as a document's and as an outsider's. */
function withoutFence(text: string): string {
  const inner = /<<<(DATA-[0-9a-f]{32})\n([\s\S]*)\n\1>>>$/.exec(text)?.[2]
  return inner === undefined ? text : withoutFence(inner)
}
