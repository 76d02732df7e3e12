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
      'Find passages in files, notes and memory that answer a question. Use it before you answer from documents. After each sentence that relies on a passage, cite it by writing its key in brackets, such as [k3f9a2]. If no passage answers the question, say so.',
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
      return answer(mergeResults(found, limit))
    },
  }
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

function answer(found: Passage[]) {
  if (found.length === 0)
    return {
      passages: [],
      note: 'Nothing was found. Try other words; if that fails too, say that the documents don’t answer this',
    }
  const shown: object[] = []
  let bytes = 0
  for (const passage of found) {
    const item = show(passage, Math.max(1000, Math.floor(ANSWER_BYTES / 4)))
    bytes += Buffer.byteLength(JSON.stringify(item))
    if (bytes > ANSWER_BYTES && shown.length > 0) break
    shown.push(item)
  }
  const isWeak = found.every(({ coverage }) => coverage < COVERAGE_MIN)
  return {
    passages: shown,
    ...(isWeak && {
      note: 'These passages have few of the question’s words and are probably about something else. If they don’t answer it, say so',
    }),
    // Any member's upload may contain untrusted content.
    ...(found.some(({ source }) => source.type === 'file') && { outside: true }),
  }
}

function show({ key, source, page, heading, text, from, to, projectId, trust }: Passage, bytesMax: number) {
  const quote = clip(text, bytesMax).text
  return {
    key: `[${key}]`,
    source,
    ...(page !== null && { page }),
    ...(heading !== null && { heading }),
    from,
    to,
    projectId,
    text: trust === 'own' ? quote : stableFence(quote, NAMES[source.type]),
  }
}

const NAMES: Record<SourceType, string> = { file: 'a file', block: 'a note', memory: 'the memory' }

export interface CitedPassage {
  key: string
  source: Passage['source']
  page: number | null
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
  return stored.data.passages.map(({ key, text, page = null, heading = null, ...rest }) => ({
    key: key.slice(1, -1),
    page,
    heading,
    ...rest,
    quote: withoutFence(text),
  }))
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
      heading: z.string().optional(),
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
