import { type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { randomHex } from '../security/random.ts'
import { removeOldLeftovers } from './disk-folder.ts'
import { diskFailure, ServerDiskUnavailable } from './unavailable.ts'

export interface SpooledBytes {
  size: number
  read: (start: number, length: number) => Promise<Buffer>
}

/**
 * A slow client uses disk instead of memory. The file is unlinked right after opening, so even a crash leaves nothing
 * behind.
 */
export async function withSpooled<T>(
  folder: string,
  content: AsyncIterable<Uint8Array>,
  use: (spooled: SpooledBytes) => Promise<T>,
): Promise<T> {
  const file = await openUnlinked(folder)
  try {
    await file.writeFile(content).catch(raiseDiskFailure)
    const { size } = await file.stat()
    return await use({ size, read: (start, length) => readPart(file, start, length) })
  } finally {
    await file.close()
  }
}

const PREFIX = 'spool-'

/** For processes killed between the two steps in `openUnlinked`. */
export const removeOldSpools = (folder: string, now: Date) => removeOldLeftovers(folder, now, PREFIX)

export async function openUnlinked(folder: string): Promise<FileHandle> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const path = join(folder, `${PREFIX}${randomHex(16)}`)
    const file = await open(path, 'wx+', 0o600)
    await rm(path)
    return file
  } catch (error) {
    return raiseDiskFailure(error)
  }
}

/** Rethrows other errors unchanged. */
export function raiseDiskFailure(error: unknown): never {
  const failure = diskFailure(error)
  throw failure === null ? error : new ServerDiskUnavailable(error as Error, { isFull: failure === 'full' })
}

async function readPart(file: FileHandle, start: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.allocUnsafeSlow(length), 0, length, start)
  if (bytesRead < length) throw new Error('A spooled file is shorter than expected')
  return buffer
}
