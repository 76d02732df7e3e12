import type { Part } from './manifest.ts'
import { readLines } from './parts.ts'

/** An object that a row of the snapshot refers to. */
export interface ReferencedObject {
  key: string
  /** The hash in the row of its file; null for uploads that are not complete. */
  sha256: string | null
  /** Whether its bytes have to exist. */
  isStored: boolean
}

/** An object in a backup. */
export interface CopiedObject {
  key: string
  bytes: number
  sha256: string
}

/** Reads the lines that COPY writes. */
export async function* readReferencedObjects(
  folder: string,
  part: Pick<Part, 'file'>,
): AsyncGenerator<ReferencedObject> {
  for await (const line of readLines(folder, part)) {
    const [key = '', hash, stored] = line.split('\t')
    yield { key, sha256: hash === '\\N' ? null : (hash ?? null), isStored: stored === 't' }
  }
}

export const objectLine = ({ key, bytes, sha256 }: CopiedObject): string => `${sha256}\t${bytes}\t${key}\n`

export async function* readCopiedObjects(
  folder: string,
  part: Pick<Part, 'file'>,
): AsyncGenerator<CopiedObject> {
  for await (const line of readLines(folder, part)) {
    const [sha256 = '', bytes, key = ''] = line.split('\t')
    yield { key, bytes: Number(bytes), sha256 }
  }
}
