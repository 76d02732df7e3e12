import { canvas } from '../../../contract/canvas/canvas.ts'
import { ApiError, badRequest } from '../../errors.ts'
import { callEndpoint } from '../call-endpoint.ts'
import { resolveProject } from '../project-ref.ts'
import type { Tool } from '../tool.ts'
import { loadOutline, shortRefs } from './load-canvas.ts'
import { type EditedBlock, type EditInput, type EditPlan, editInput, planEdit } from './plan-edit.ts'

const FULL_IDS_MAX = 100
const SUMMARY_TITLES_MAX = 5

export const editCanvas: Tool<EditInput> = {
  name: 'edit_canvas',
  description:
    'Change a project’s canvas: create, update, move, connect and delete blocks, all or none in one call. Name blocks by ref, id or exact title. Put all related changes into one call.',
  input: editInput,
  effect: 'transaction',
  risk: (input) => (input.delete.length > 0 ? 'delete' : 'none'),
  summarize,
  async run(call, input) {
    const { project: ref, ...edits } = input
    if (Object.values(edits).every((list) => list.length === 0))
      throw badRequest('There is nothing to change: give create, update, move, connect or delete')
    const project = await resolveProject(call, ref)
    const { items: blocks, edges } = await loadOutline(call, project.id)
    const { names, ...change } = planEdit(input, { blocks, edges })
    const result = await callEndpoint(call, canvas.change, {
      params: { projectId: project.id },
      body: change,
    }).catch((error: unknown) => {
      throw translateFieldNames(error, { ...change, names }, blocks)
    })
    const short = shortRefs([...blocks, ...names.map(({ id }) => ({ id, type: '', title: null }))])
    const isLong = names.length > FULL_IDS_MAX
    return {
      seq: result.seq,
      ...(names.length > 0 && {
        created: names.map(({ name, id }) => [name.slice(0, 80), isLong ? short(id) : id]),
      }),
      ...countsOf({
        updated: input.update.length,
        moved: input.move.length,
        connected: input.connect.length,
      }),
      ...countsOf({ deletedBlocks: result.deleted.blocks.length, deletedEdges: result.deleted.edges.length }),
    }
  },
}

const countsOf = (counts: Record<string, number>) =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))

function summarize(input: EditInput): string {
  const titles = input.delete.slice(0, SUMMARY_TITLES_MAX).map((ref) => `"${ref.slice(0, 60)}"`)
  const more = input.delete.length - titles.length
  const deletion = `delete ${titles.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  const kinds = (['create', 'update', 'move', 'connect'] as const).filter((kind) => input[kind].length > 0)
  const actions = [
    ...(titles.length > 0 ? [deletion] : []),
    ...kinds.map((kind) => `${kind} ${input[kind].length}`),
  ]
  return `Edit the canvas${input.project ? ` of ${input.project}` : ''}: ${actions.join(', ')}`
}

/** The endpoint names its own body fields, but the model uses the tool's. */
function translateFieldNames(
  error: unknown,
  { update, names }: Pick<EditPlan, 'update' | 'names'>,
  blocks: EditedBlock[],
): unknown {
  if (!(error instanceof ApiError)) return error
  const short = shortRefs(blocks)
  const message = error.message
    .replaceAll(/body\.create\.blocks\.(\d+)/g, (_, n: string) => `create.${n} (${names[Number(n)]?.name})`)
    .replaceAll(/body\.create\.edges\.(\d+)/g, 'connect.$1')
    .replaceAll(/body\.update\.edges\.\d+/g, 'connect')
    .replaceAll(
      /body\.update\.blocks\.(\d+)/g,
      (_, n: string) => `update of ${short(update.blocks[Number(n)]?.id ?? '')}`,
    )
    .replaceAll(/body\.delete\.(blocks|edges)/g, 'delete')
  return message === error.message ? error : new ApiError(error.code, message)
}
