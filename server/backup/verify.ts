import { join } from 'node:path'
import { inParallel } from '../concurrency/in-parallel.ts'
import { StartupError } from '../errors.ts'
import { partsOfKey } from '../storage/object-store.ts'
import { OBJECT_CONCURRENCY } from './copy-objects.ts'
import type { Manifest, Part } from './manifest.ts'
import { hashFile, readCopiedObjects } from './parts.ts'
import type { Progress } from './progress.ts'

const SHOWN_MAX = 5

/** Fails if a file is absent or differs from its checksum. */
export async function verifyBackup(
  folder: string,
  manifest: Manifest,
  { progress, signal }: { progress: Progress; signal: AbortSignal },
): Promise<void> {
  const parts: Part[] = [...manifest.tables, manifest.objects.list]
  const bytes = parts.reduce((sum, part) => sum + part.bytes, manifest.objects.bytes)
  const damagedFiles: string[] = []
  const compare = async (part: Part) => {
    signal.throwIfAborted()
    const actual = await hashFile(join(folder, part.file), signal).catch(nullIfAbsent)
    if (actual?.sha256 !== part.sha256) damagedFiles.push(part.file)
    progress.addBytes(part.bytes)
    progress.addItem()
  }
  progress.begin('Verified', { items: parts.length + manifest.objects.count, bytes })
  for (const part of parts) await compare(part)
  if (damagedFiles.length === 0) {
    const objects = readCopiedObjects(folder, manifest.objects.list)
    await inParallel(objects, OBJECT_CONCURRENCY, ({ key, ...object }) =>
      compare({ file: fileOf(key), ...object }),
    )
  }
  progress.end()
  if (damagedFiles.length === 0) return
  throw new StartupError(
    `The backup ${folder} is damaged. Missing files or wrong checksums: ${damagedFiles.length} ` +
      `(${damagedFiles.slice(0, SHOWN_MAX).join(', ')}${damagedFiles.length > SHOWN_MAX ? ', …' : ''}). Use another backup.`,
  )
}

/** Same path as in the on-disk object store. */
function fileOf(key: string): string {
  const { org, name } = partsOfKey(key)
  return join('objects', org, name.slice(0, 2), name.slice(2))
}

function nullIfAbsent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}
