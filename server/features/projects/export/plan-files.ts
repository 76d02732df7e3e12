import type { Context } from '../../../context.ts'
import { listExistingContent } from '../../files/files/files.ts'
import { createFileKeys, type KeyedFile } from './file-keys.ts'
import type { ManifestBlock, ManifestFile } from './manifest.ts'
import type { PlanBuilder } from './plan-builder.ts'

export interface FilePlan {
  /** The files to create from existing content, with the key that stands for their id until they have one. */
  add: { key: string; file: ManifestFile }[]
  /** Replaces the file of a manifest block by a file id, by the key of a file to create, or by null. */
  withFile: (block: ManifestBlock) => ManifestBlock
}

/** Splits the files of a manifest into existing ones, ones to create from existing content, and missing ones. */
export async function planFiles(
  ctx: Context,
  builder: PlanBuilder,
  current: KeyedFile[],
  target: ManifestFile[],
): Promise<FilePlan> {
  const ids = new Map(current.map(({ key, id }) => [key, id]))
  // Computes the keys again: the ids in a manifest are not trusted.
  const keyOf = createFileKeys()
  const keyed = target.map((file) => ({ file, key: keyOf(file) }))
  const absent = keyed.filter(({ key }) => !ids.has(key))
  const available = new Set(
    await listExistingContent(
      ctx,
      absent.map(({ file }) => file),
    ),
  )
  const add = absent.filter(({ file }) => available.has(file))
  const fileRefs = new Map<string, string>()
  for (const { file, key } of keyed) {
    const id = ids.get(key)
    if (id) builder.addUnchanged()
    else if (available.has(file)) builder.create({ kind: 'file', id: file.id, title: file.path })
    else {
      builder.addMissingFile(file)
      continue
    }
    fileRefs.set(file.id, id ?? key)
  }
  return {
    add,
    withFile: (block) => ({ ...block, fileId: (block.fileId && fileRefs.get(block.fileId)) ?? null }),
  }
}
