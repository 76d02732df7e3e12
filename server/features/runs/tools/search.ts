import { z } from 'zod'
import { Id } from '../../../../contract/fields.ts'
import { files } from '../../../../contract/files/files.ts'
import { projects } from '../../../../contract/projects/projects.ts'
import { listOutsideTexts } from '../context/outside-texts.ts'
import { callEndpoint, findByEndpoint } from './call-endpoint.ts'
import { createBlockFinder, shortRefs } from './canvas/block-refs.ts'
import { type BlockRecord, loadCanvas } from './canvas/load-canvas.ts'
import { isTrusted, projectInput, projectOf } from './project-ref.ts'
import type { RunTool, ToolCall } from './run-tool.ts'

const RESULTS_MAX = 20
const KINDS = ['project', 'file', 'block'] as const
type Kind = (typeof KINDS)[number]

const input = z.strictObject({
  query: z.string().min(1).max(255).describe('Text in a name, title or content, or an id'),
  kinds: z.array(z.enum(KINDS)).min(1).optional(),
  project: projectInput.describe('Whose blocks to search; default: the project of this run'),
})

interface Hit {
  kind: Kind
  id: string
  name: string
  [more: string]: unknown
}

/** Finds the kinds that the settings of the agent allow. */
export const search = (
  settings: Readonly<Record<'blocks' | 'files', boolean>>,
): RunTool<z.output<typeof input>> => ({
  name: 'search',
  description:
    'Find projects and files by name, and blocks of a project by title or content, or any of them by id. Use it when you do not know where something is.',
  input,
  effect: 'read',
  risk: 'none',
  async run(call, { query, kinds = KINDS, project: ref }) {
    const project = await projectOf(call, ref)
    const isWide = isTrusted(call)
    const searches: Record<Kind, () => Promise<Hit[]>> = {
      project: async () => (isWide ? findProjects(call, query) : []),
      file: () => findFiles(call, query, isWide ? undefined : project.id),
      block: () => findBlocks(call, query, project.id),
    }
    const lists: Hit[][] = []
    for (const kind of KINDS)
      if (kinds.includes(kind) && allows(settings, kind)) lists.push(await searches[kind]())
    const results = interleave(lists)
    return {
      results: results.slice(0, RESULTS_MAX),
      ...(results.length > RESULTS_MAX && { more: 'There are more results: use a longer query, or kinds' }),
      ...(!isWide && { note: 'Limited to the project of this run, which has read content from outside' }),
    }
  },
})

const allows = ({ blocks, files }: { blocks: boolean; files: boolean }, kind: Kind): boolean =>
  kind === 'project' || (kind === 'file' ? files : blocks)

async function findProjects(call: ToolCall, query: string): Promise<Hit[]> {
  const byId =
    Id.safeParse(query).success && (await findByEndpoint(call, projects.get, { params: { id: query } }))
  const found = byId
    ? [byId]
    : (await callEndpoint(call, projects.list, { query: { search: query, limit: RESULTS_MAX + 1 } })).items
  return found.map(({ id, name, slug }) => ({ kind: 'project', id, name, slug }))
}

async function findFiles(call: ToolCall, query: string, projectId: string | undefined): Promise<Hit[]> {
  const byId =
    Id.safeParse(query).success && (await findByEndpoint(call, files.get, { params: { id: query } }))
  if (byId) return projectId && byId.projectId !== projectId ? [] : [fileHit(byId)]
  const list = { query: { search: query, limit: RESULTS_MAX + 1, projectId } }
  const { items } = await callEndpoint(call, files.list, list)
  // The folder of a project has the name of the project, which is a result already.
  return items.filter((file) => !file.protected).map(fileHit)
}

const fileHit = ({
  id,
  name,
  source,
  projectId,
}: {
  id: string
  name: string
  source: string
  projectId: string | null
}): Hit => ({
  kind: 'file',
  id,
  name,
  ...(source !== 'upload' && { source }),
  projectId,
})

async function findBlocks(call: ToolCall, query: string, projectId: string): Promise<Hit[]> {
  const lower = query.toLowerCase()
  const { blocks } = await loadCanvas(call, projectId, ({ id, type, title, content }: BlockRecord) => ({
    id,
    type,
    title,
    isMatch: id === lower || [title, content].some((text) => text?.toLowerCase().includes(lower)),
  }))
  const refOf = shortRefs(blocks)
  const byShort = createBlockFinder(blocks)
  const named = /^[0-9a-f]{8}$/.test(lower) ? tryFind(byShort, lower) : null
  const found = blocks.filter(({ id, isMatch }) => isMatch || id === named).slice(0, RESULTS_MAX + 1)
  const ids = found.map(({ id }) => id)
  const texts = await listOutsideTexts(call.sql, call.run.orgId, projectId, ids, ['title'])
  const outside = new Set(texts.map(({ blockId }) => blockId))
  return found.map(({ id, type, title }) => ({
    kind: 'block',
    id,
    name: outside.has(id) ? '(by a guest)' : (title ?? ''),
    ref: refOf(id),
    type,
    projectId,
  }))
}

function tryFind(find: (ref: string, field: string) => string, ref: string): string | null {
  try {
    return find(ref, 'query')
  } catch {
    return null
  }
}

/** The first of each list, then the second of each: no kind hides the others. */
function interleave<T>(lists: T[][]): T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  return Array.from({ length: longest }, (_, index) =>
    lists.flatMap((list) => list.slice(index, index + 1)),
  ).flat()
}
