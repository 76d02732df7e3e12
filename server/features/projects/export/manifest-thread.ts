import { Worker } from 'node:worker_threads'
import type { ErrorCode, ErrorDetails } from '../../../../contract/errors.ts'
import type { Call } from '../../../endpoint/call.ts'
import type { Input } from '../../../endpoint/parse.ts'
import type { BodyFile } from '../../../endpoint/route.ts'
import { ApiError } from '../../../errors.ts'
import type { CheckedManifest, Manifest } from './manifest.ts'

export type ManifestMessage =
  | { fields: object }
  | { list: 'blocks' | 'edges' | 'files' | 'memory'; items: unknown[] }
  | { table: number; rows: Uint8Array }
  | { isComplete: true }
  | { error: { code: ErrorCode; message: string; details: ErrorDetails | undefined } }

const PROGRAM = new URL('./manifest-program.ts', import.meta.url)
const HEAP_MEGABYTES = 768

const checked = new WeakSet<object>()

/** Null if it was small enough for this thread, which hasn't checked it yet. */
export const asChecked = (manifest: Manifest): CheckedManifest | null =>
  checked.has(manifest.blocks) ? (manifest as unknown as CheckedManifest) : null

/**
 * 64 MB take seconds to parse, validate and hash, which would block all requests. The heavy call limit bounds the
 * number of threads.
 */
export function parseManifest(
  { params, query }: Pick<Call, 'params' | 'query'>,
  file: BodyFile,
): Promise<Input> {
  const worker = new Worker(PROGRAM, {
    workerData: { file, call: { params, query } },
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES },
    execArgv: ['--no-warnings'],
    env: {},
  })
  const input = { blocks: [], edges: [], files: [], memory: [] } as Record<string, unknown> &
    Record<'blocks' | 'edges' | 'files' | 'memory', unknown[]> & { tables?: { rows: unknown[] }[] }
  const parsed = new Promise<Input>((resolve, reject) => {
    worker.on('message', (message: ManifestMessage) => {
      if ('error' in message) {
        const { code, message: text, details } = message.error
        return reject(new ApiError(code, text, { details }))
      }
      if ('isComplete' in message) {
        checked.add(input.blocks)
        return resolve(input)
      }
      if ('fields' in message) Object.assign(input, message.fields)
      else if ('rows' in message) input.tables![message.table]!.rows.push(message.rows)
      else for (const item of message.items) input[message.list].push(item)
      // This thread's other work comes first.
      setImmediate(() => worker.postMessage('next'))
    })
    worker.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooComplex() : error),
    )
  })
  return parsed.finally(() => worker.terminate())
}

const tooComplex = () => new ApiError('BAD_REQUEST', 'The manifest is too complex to parse')
