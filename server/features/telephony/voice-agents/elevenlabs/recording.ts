import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import type { Context, PublicContext } from '../../../../context.ts'
import { ApiError } from '../../../../errors.ts'
import { discardObject, type StoredUpload, storeUpload } from '../../../files/files/files.ts'

export type RecordingResult = { upload: StoredUpload; problem: null } | { upload: null; problem: string }

/** A recording that is stored while it arrives. */
export interface Recording {
  write: (bytes: Buffer) => Promise<void>
  /** Resolves when the recording is stored, or with the reason why it cannot be stored. */
  finish: () => Promise<RecordingResult>
  /** Removes the stored part. */
  discard: () => Promise<void>
}

/**
 * Stores a recording in the object store as it arrives. The file that owns it is inserted once the signature of the whole
 * body is verified; until then no reader has access to it, and a crash leaves an object that the sweep removes.
 */
export function openRecording(acting: Context, name: string): Recording {
  const pipe = new PassThrough()
  // A refused recording is read to its end for the signature, and its bytes are dropped.
  pipe.on('error', () => {})
  const result = store(acting, name, pipe).finally(() => pipe.destroy())
  result.catch(() => {})
  return {
    write: async (bytes) => {
      if (pipe.destroyed || pipe.write(bytes)) return
      await Promise.race([once(pipe, 'drain'), result]).catch(() => {})
    },
    finish: () => {
      pipe.end()
      return result
    },
    discard: async () => {
      pipe.destroy()
      await remove(acting, await result.catch(() => null))
    },
  }
}

async function store(acting: Context, name: string, content: PassThrough): Promise<RecordingResult> {
  try {
    await acting.quotas.check(acting.sql, acting.caller.orgId, { files: 1, storage: 1 })
    const upload = await storeUpload(acting, { name, mimeType: 'audio/mpeg', content })
    return { upload, problem: null }
  } catch (error) {
    if (error instanceof ApiError) return { upload: null, problem: error.message }
    throw error
  }
}

/** Removes the object of a recording that no file owns. */
async function remove(ctx: PublicContext & Pick<Context, 'caller'>, recorded: RecordingResult | null) {
  if (recorded?.upload) await discardObject(ctx, ctx.caller.orgId, recorded.upload.key)
}
