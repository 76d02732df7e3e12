import { fileTexts, TEXT_CHARACTERS_MAX } from '../../../../../contract/files/file-texts.ts'
import { files } from '../../../../../contract/files/files.ts'
import { ApiError } from '../../../../errors.ts'
import { callEndpoint } from '../../../../tools/call-endpoint.ts'
import type { InvokeTool } from '../../../../tools/tool.ts'
import type { EngineRun } from '../state/run-row.ts'
import { toStorable } from '../state/storable.ts'
import type { CallOutcome, CallRow } from './call-queries.ts'

/** A larger output becomes a file, because it would fill the context and the row. */
export const OUTPUT_BYTES_MAX = 65_536
const HEAD_CHARACTERS = 6000
const TAIL_CHARACTERS = 2000

export type FittedOutput = { output: unknown; overflow: null } | { output: null; overflow: Overflow }

export interface Overflow {
  text: string
  bytes: number
  head: string
  tail: string
}

export function fitOutput(value: unknown): FittedOutput {
  const output = toStorable(value ?? null)
  const text = typeof output === 'string' ? output : JSON.stringify(output, null, 2)
  const bytes = Buffer.byteLength(text)
  if (bytes <= OUTPUT_BYTES_MAX) return { output, overflow: null }
  const head = text.slice(0, HEAD_CHARACTERS).toWellFormed()
  const tail = text.slice(-TAIL_CHARACTERS).toWellFormed()
  return { output: null, overflow: { text, bytes, head, tail } }
}

export const OUTPUTS_FOLDER = 'Agent outputs'

/** Stores a project file. The model gets its beginning, its end and the id. */
export async function storeOverflow(
  invoke: InvokeTool,
  run: EngineRun,
  call: CallRow,
  overflow: Overflow,
): Promise<CallOutcome> {
  const fileId = await writeOutput(invoke, run, call, overflow.text).catch((error: unknown) => {
    // The user may not be allowed to write files here.
    if (error instanceof ApiError) return null
    throw error
  })
  return { state: 'done', output: { ...shortenOutput(overflow), fileId }, outputFileId: fileId }
}

export const shortenOutput = ({ bytes, head, tail }: Overflow) => ({
  note: `The output is too long (${bytes} bytes). This is its beginning and end`,
  head,
  tail,
})

async function writeOutput(
  invoke: InvokeTool,
  { id: runId, projectId }: EngineRun,
  { step, ordinal, tool }: CallRow,
  text: string,
): Promise<string> {
  const idempotencyKey = `${runId}:${step}:${ordinal}:output`
  const parentId = await findOrCreateFolder(invoke, projectId, OUTPUTS_FOLDER)
  const body = {
    name: `${tool} ${runId.slice(-8)} ${step}.${ordinal}.txt`,
    text: text.slice(0, TEXT_CHARACTERS_MAX).toWellFormed(),
    parentId,
    replace: true,
  }
  return (await callEndpoint({ invoke }, fileTexts.write, { body, idempotencyKey })).id
}

/** In the project's folder. */
export async function findOrCreateFolder(
  invoke: InvokeTool,
  projectId: string,
  folder: string,
): Promise<string> {
  const query = { projectId, search: folder, source: 'folder' }
  const { items } = await callEndpoint({ invoke }, files.list, { query })
  const existing = items.find(({ name }) => name === folder)
  if (existing) return existing.id
  // Child runs may save their first files at the same moment.
  const body = { source: 'folder', name: folder, projectId, reuse: true }
  const created = await callEndpoint({ invoke }, files.create, { body })
  return 'file' in created ? created.file.id : created.id
}
