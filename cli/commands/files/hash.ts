import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'

const CHUNK_BYTES = 262_144

export const sha256 = (): Hash => createHash('sha256')

export async function hashFile(path: string): Promise<string> {
  const hash = sha256()
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES })) hash.update(chunk)
  return hash.digest('hex')
}
