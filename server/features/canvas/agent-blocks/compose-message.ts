import type { OutputSchema } from '../../../../contract/agents/output-rules.ts'
import type { Context } from '../../../context.ts'
import { ApiError } from '../../../errors.ts'
import { fence } from '../../../language-models/fence.ts'
import { requireSchema } from '../../../language-models/structured-output/require-schema.ts'
import { sha256 } from '../../../security/digest.ts'
import type { Trust } from '../../../tools/tool.ts'
import { type BlockText, listOutsideTexts, listResultTexts, listTextOrigins } from '../../agents/runs/runs.ts'
import type { ProjectRow } from '../../projects/projects/projects.ts'
import { type BlockRow, listInputs } from '../canvas/canvas.ts'
import { findFileNames, listTainted } from './queries.ts'
import { keptOutput } from './state.ts'

/** More are too many to review. */
const INPUTS_MAX = 100
/** For all inputs together, divided equally. */
const INPUT_CHARACTERS_MAX = 200_000

export interface BlockInput {
  blockId: string
  title: string | null
  type: BlockRow['type']
  text: string
  /** Untrusted: the agent gets it as data. */
  isData: boolean
  /** By a member other than the run's starter. */
  isVerified?: boolean
  /** What the text shows, for programs. */
  data?: unknown
  /** Set if the input isn't a block. */
  source?: string
}

/** Such as a text message. */
export interface OutsideInput {
  source: string
  text: string
}

export interface BlockMessage {
  instructions: string
  /** Null for the agent's. */
  outputSchema: OutputSchema | null
  /** From the top of the canvas down. */
  inputs: BlockInput[]
  /** What a repeated block works on, after all inputs. */
  item?: BlockItem
}

interface BlockItem {
  /** What the text shows, for programs. */
  data: unknown
  n: number
  total: number
  text: string
  isData: boolean
}

/**
 * Text from guests, and from runs that had read untrusted content, reaches the agent as data and makes the run
 * untrusted. Their instructions and agents don't run: a member has to decide.
 */
export async function composeMessage(
  ctx: Context,
  { orgId, id: projectId }: ProjectRow,
  block: BlockRow,
  outside?: OutsideInput,
): Promise<BlockMessage> {
  const { sql } = ctx
  const blocks = await listInputs(sql, orgId, projectId, block.id, INPUTS_MAX)
  const isOutside = await createOutsideCheck(ctx, orgId, projectId, [block, ...blocks])
  if (isOutside(block, ['content', ...SETTINGS])) throw outsideInstructions(block)
  const outputSchema = schemaOf(block)
  const results = await listResultTexts(sql, orgId, blocks.flatMap(resultRunOf))
  const fileIds = blocks.flatMap(({ fileId }) => fileId ?? [])
  const files = await findFileNames(sql, orgId, fileIds)
  const outsideNames = fileIds.length > 0 ? await listTextOrigins(sql, orgId)(fileIds) : new Set()
  const hasOutsideName = ({ fileId }: BlockRow) =>
    outsideNames.has(sha256(files.get(fileId ?? '') ?? '').toString('hex'))
  const inputs = blocks.map((input) => ({
    blockId: input.id,
    title: input.title,
    type: input.type,
    text: results.get(resultRunOf(input)[0] ?? '') ?? textOf(input, files),
    isData:
      isOutside(input, ['title', input.type === 'agent' ? 'output' : 'content']) || hasOutsideName(input),
  }))
  return {
    instructions: block.content!,
    outputSchema,
    inputs: [...inputs, ...(outside ? [inputOf(block, outside)] : [])],
  }
}

/** Restored and imported blocks come from earlier checks. */
const schemaOf = ({ metadata: { outputSchema } }: BlockRow): OutputSchema | null =>
  requireSchema('metadata.outputSchema', (outputSchema ?? null) as OutputSchema | null)

/** The block shows only the beginning of a long result. */
function resultRunOf({ type, metadata }: BlockRow): string[] {
  const { outputIsData, outputRunId } = keptOutput(metadata)
  return type === 'agent' && outputIsData && outputRunId !== null ? [outputRunId] : []
}

const inputOf = ({ id }: BlockRow, { source, text }: OutsideInput): BlockInput => ({
  ...{ blockId: id, title: null, type: 'text', text, isData: true, source },
})

/** Also returns the resulting trust. Omits empty inputs. */
export function renderMessage({ instructions, inputs, item }: Omit<BlockMessage, 'outputSchema'>) {
  const nonEmpty = inputs.filter(({ text }) => text !== '')
  const characters = Math.floor(INPUT_CHARACTERS_MAX / Math.max(1, inputs.length))
  return {
    texts: [
      instructions,
      ...nonEmpty.map((input) => describe(input, cut(input.text, characters))),
      ...(item ? [describeItem(item)] : []),
    ],
    trust: trustOf(nonEmpty, item),
  }
}

/** They decide what the block does. */
const SETTINGS = ['agent', 'outputSchema', 'step', 'forEach'] as const
type Field = BlockText | 'output'

/** An output is untrusted if its run is. */
async function createOutsideCheck({ sql }: Context, orgId: string, projectId: string, blocks: BlockRow[]) {
  const ids = blocks.map(({ id }) => id)
  const runOf = ({ metadata }: BlockRow) => keptOutput(metadata).outputRunId
  const runIds = blocks.map(runOf).filter((id) => id !== null)
  const [texts, tainted] = await Promise.all([
    listOutsideTexts(sql, orgId, projectId, ids, ['title', 'content', ...SETTINGS]),
    listTainted(sql, orgId, runIds),
  ])
  const outside = new Set(texts.map(({ blockId, field }) => `${blockId} ${field}`))
  return (block: BlockRow, fields: Field[]) =>
    fields.some((field) =>
      field === 'output' ? tainted.has(runOf(block) ?? '') : outside.has(`${block.id} ${field}`),
    )
}

/** Includes the file's name and id, for tools. */
function textOf({ type, content, metadata, fileId }: BlockRow, files: Map<string, string>): string {
  const text = type === 'agent' ? metadata.output : content
  const name = fileId && files.get(fileId)
  const file = name ? `[File ${JSON.stringify(name)}, id ${fileId}]` : ''
  return [typeof text === 'string' ? text : '', file].filter(Boolean).join('\n\n')
}

function describe({ blockId, title, type, isData, source }: BlockInput, text: string): string {
  if (source !== undefined) return `Input:\n${fence(text, source)}`
  const name = title ? JSON.stringify(title) : `a ${type} block`
  if (isData) return `Input from a block (${blockId}):\n${fence(`${title ?? ''}\n${text}`.trim(), 'outside')}`
  return `Input from ${name} (${blockId}):\n\n${text}`
}

function trustOf(inputs: readonly BlockInput[], item: BlockItem | undefined): Trust {
  if (item?.isData || inputs.some(({ isData }) => isData)) return 'untrusted'
  return inputs.some(({ isVerified }) => isVerified) ? 'verified' : 'trusted'
}

/** What a program gets as `input`. */
export const programInput = ({ inputs, item }: Pick<BlockMessage, 'inputs' | 'item'>) => ({
  output: inputs.length === 1 ? outputOf(inputs[0]!) : null,
  inputs: inputs.map((input) => ({ title: input.title, output: outputOf(input) })),
  ...(item && { item: item.data, n: item.n, total: item.total }),
})

const outputOf = ({ data, text }: BlockInput) => (data === undefined ? text : data)

const describeItem = ({ n, total, text, isData }: BlockItem) =>
  `Item ${n} of ${total}. Work on this item only; your answer is its result:\n\n${isData ? fence(text, 'outside') : text}`

const cut = (text: string, characters: number) =>
  text.length <= characters
    ? text
    : `${text.slice(0, characters).toWellFormed()}\n\n[Cut here: the block has ${text.length} characters. read_canvas shows the rest.]`

const outsideInstructions = ({ id }: BlockRow) =>
  new ApiError(
    'CONFLICT',
    'A guest, or a run that had read untrusted content, wrote this block’s instructions or chose its agent: edit the instructions and choose the agent, then run it',
    { details: { reason: 'outside_instructions', blockId: id } },
  )
