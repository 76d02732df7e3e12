import { type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { randomHex } from '../security/random.ts'

/** Bytes that have all arrived and can be read again, from any place. */
export interface Spooled {
  size: number
  read: (start: number, length: number) => Promise<Buffer>
}

/**
 * Keeps what arrives in a file until it is used, so that a slow client holds a little disk and no memory. The file has
 * no name from its first moment on: whatever happens, nothing of it is left.
 */
export async function withSpooled<T>(
  folder: string,
  content: AsyncIterable<Uint8Array>,
  use: (spooled: Spooled) => Promise<T>,
): Promise<T> {
  const file = await openNameless(folder)
  try {
    await file.writeFile(content)
    const { size } = await file.stat()
    return await use({ size, read: (start, length) => readPart(file, start, length) })
  } finally {
    await file.close()
  }
}

async function openNameless(folder: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, `spool-${randomHex(16)}`)
  const file = await open(path, 'wx+', 0o600)
  await rm(path)
  return file
}

async function readPart(file: FileHandle, start: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.allocUnsafeSlow(length), 0, length, start)
  if (bytesRead < length) throw new Error('A spooled file is shorter than it was')
  return buffer
}
