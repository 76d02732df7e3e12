import type { Context } from '../../context.ts'
import { listExistingContent } from '../files/files.ts'
import { createFileKeys, type KeyedFile } from './file-keys.ts'
import type { ManifestBlock, ManifestFile } from './manifest.ts'
import type { PlanBuilder } from './plan-builder.ts'

export interface FilePlan {
  /** Those to put on bytes that are known here, under the key that stands for them until they have an id. */
  add: { key: string; file: ManifestFile }[]
  /** A block of the manifest with the file it has here: an id, the key of one to come, or none. */
  withFile: (block: ManifestBlock) => ManifestBlock
}

/** Which files of a manifest are here, which can be, and which are nowhere that the caller can see. */
export async function planFiles(
  ctx: Context,
  draft: PlanBuilder,
  here: KeyedFile[],
  wanted: ManifestFile[],
): Promise<FilePlan> {
  const ids = new Map(here.map(({ key, id }) => [key, id]))
  // The keys are made anew, whatever the manifest calls its files.
  const keyOf = createFileKeys()
  const keyed = wanted.map((file) => ({ file, key: keyOf(file) }))
  const absent = keyed.filter(({ key }) => !ids.has(key))
  const known = new Set(
    await listExistingContent(
      ctx,
      absent.map(({ file }) => file),
    ),
  )
  const add = absent.filter(({ file }) => known.has(file))
  const places = new Map<string, string>()
  for (const { file, key } of keyed) {
    const id = ids.get(key)
    if (id) draft.addUnchanged()
    else if (known.has(file)) draft.create({ kind: 'file', id: file.id, title: file.path })
    else {
      draft.addMissingFile(file)
      continue
    }
    places.set(file.id, id ?? key)
  }
  return {
    add,
    withFile: (block) => ({ ...block, fileId: (block.fileId && places.get(block.fileId)) ?? null }),
  }
}
