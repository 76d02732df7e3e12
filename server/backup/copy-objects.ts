import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { addAbortSignal, PassThrough } from 'node:stream'
import { inParallel } from '../concurrency/in-parallel.ts'
import { createDigest } from '../security/digest.ts'
import type { Vault } from '../security/vault.ts'
import { diskStore } from '../storage/disk.ts'
import type { ObjectStore } from '../storage/object-store.ts'
import type { Manifest, Part } from './manifest.ts'
import { objectLine, type ReferencedObject, readReferencedObjects, writePart } from './parts.ts'
import type { Progress } from './progress.ts'
import { type Patience, withSilenceLimit } from './silence.ts'

/** Copies mostly wait for the network or disk. */
export const OBJECT_CONCURRENCY = 8

/** Stores objects as files, in the on-disk object store's layout. */
export const backupObjects = (folder: string, vault: Vault): ObjectStore =>
  diskStore(join(folder, 'objects'), vault)

interface CopyOptions extends Patience {
  folder: string
  store: ObjectStore
  vault: Vault
  referenced: Part
  progress: Progress
}

/** Copies referenced objects into the folder and lists them with sizes and hashes. */
export async function copyObjects(options: CopyOptions): Promise<Manifest['objects']> {
  const { folder, referenced, progress, signal } = options
  const target = backupObjects(folder, options.vault)
  await target.check()
  const outcome = { count: 0, bytes: 0, missing: [] as string[], damaged: [] as string[] }
  const lines = new PassThrough()
  const listPart = writePart(folder, 'objects.gz', lines, { signal })
  try {
    await inParallel(readReferencedObjects(folder, referenced), OBJECT_CONCURRENCY, async (object) => {
      const step = `Copying the object ${object.key}`
      const copied = await withSilenceLimit(step, options, ({ signal, pulse }) =>
        copyObject(options.store, target, object, {
          signal,
          onBytes(count) {
            pulse()
            progress.addBytes(count)
          },
        }),
      )
      progress.addItem()
      if (copied === null) {
        if (object.isStored) outcome.missing.push(object.key)
        return
      }
      if (object.sha256 !== null && object.sha256 !== copied.sha256) outcome.damaged.push(object.key)
      outcome.count++
      outcome.bytes += copied.bytes
      lines.write(objectLine({ key: object.key, ...copied }))
    })
    lines.end()
  } catch (error) {
    lines.destroy(error as Error)
    await listPart.catch(() => {})
    throw error
  }
  const { lines: _, ...list } = await listPart
  await rm(join(folder, 'objects/tmp'), { recursive: true })
  return { ...outcome, list }
}

/** Null if the store has no such object. */
async function copyObject(
  from: ObjectStore,
  to: ObjectStore,
  { key }: ReferencedObject,
  { signal, onBytes }: { signal: AbortSignal; onBytes: (count: number) => void },
): Promise<{ bytes: number; sha256: string } | null> {
  const content = await from.get(key)
  if (content === null) return null
  addAbortSignal(signal, content)
  const digest = createDigest()
  let bytes = 0
  async function* trackedChunks() {
    for await (const chunk of content as AsyncIterable<Uint8Array>) {
      digest.add(chunk)
      bytes += chunk.length
      onBytes(chunk.length)
      yield chunk
    }
  }
  await to.put(key, trackedChunks())
  return { bytes, sha256: digest.hex() }
}
