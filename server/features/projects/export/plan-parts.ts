import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import type { RestorePlan as Schema } from '../../../../contract/projects/project-export.ts'
import type { Context } from '../../../context.ts'
import { newId } from '../../../security/ids.ts'
import { existingContent } from '../../files/files/files.ts'
import type { TableOutcome } from '../tables/tables.ts'
import { createFileKeys, hashToUuid, type KeyedFile } from './file-keys.ts'
import type { Manifest, ManifestBlock, ManifestFile, ManifestMemory } from './manifest.ts'

export type RestorePlan = z.output<typeof Schema>
type PlanItem = RestorePlan['create'][number]
export type PlanBuilder = ReturnType<typeof createPlanBuilder>

export function createPlanBuilder() {
  const plan: RestorePlan = { create: [], update: [], delete: [], unchanged: 0, missingFiles: [] }
  return {
    plan,
    create: (item: PlanItem) => void plan.create.push(item),
    update: (item: PlanItem & { fields: string[] }) => void plan.update.push(item),
    delete: (item: PlanItem) => void plan.delete.push(item),
    addUnchanged: () => void plan.unchanged++,
    addMissingFile: (file: RestorePlan['missingFiles'][number]) => void plan.missingFiles.push(file),
  }
}

interface FilePlan {
  /** With the ids that they get. */
  add: { id: string; file: ManifestFile }[]
  /** Files here by their ids in the manifest. Null if the content doesn't exist here. */
  ids: ReadonlyMap<string, string | null>
  withFile: (block: ManifestBlock) => ManifestBlock
}

export async function planFiles(
  ctx: Context,
  builder: PlanBuilder,
  current: KeyedFile[],
  target: ManifestFile[],
): Promise<FilePlan> {
  const existing = new Map(current.map(({ key, id }) => [key, id]))
  // Recomputes the keys, because manifest ids aren't trusted.
  const keyOf = createFileKeys()
  const keyed = target.map((file) => ({ file, key: keyOf(file) }))
  const absent = keyed.filter(({ key }) => !existing.has(key))
  const available = new Set(
    await existingContent.list(
      ctx,
      absent.map(({ file }) => file),
    ),
  )
  const add: FilePlan['add'] = []
  const ids = new Map<string, string | null>()
  for (const { file, key } of keyed) {
    const id = existing.get(key) ?? (available.has(file) ? newId() : null)
    ids.set(file.id, id)
    if (existing.has(key)) builder.addUnchanged()
    else if (id === null) builder.addMissingFile(file)
    else {
      builder.create({ kind: 'file', id: file.id, title: file.path })
      add.push({ id, file })
    }
  }
  return { add, ids, withFile: (block) => ({ ...block, fileId: ids.get(block.fileId ?? '') ?? null }) }
}

/** Tables are changed already: a dry run takes it back. */
export function addTables(builder: PlanBuilder, outcomes: readonly TableOutcome[]): void {
  for (const { action, fields, ...item } of outcomes) {
    if (action === 'none') builder.addUnchanged()
    else if (action === 'update') builder.update({ kind: 'table', ...item, fields })
    else builder[action]({ kind: 'table', ...item })
  }
}

/** Returns new and changed memories. Never deletes others, which would require step-up. */
export function planMemory(
  builder: PlanBuilder,
  current: readonly (ManifestMemory & { id: string })[],
  target: Manifest['memory'],
): ManifestMemory[] {
  const byKey = new Map(current.map((memory) => [memory.key, memory]))
  return target.filter((memory) => {
    const existing = byKey.get(memory.key)
    const { key } = memory
    const fields = existing
      ? (['content', 'tags'] as const).filter((field) => !isDeepStrictEqual(existing[field], memory[field]))
      : []
    if (!existing) builder.create({ kind: 'memory', id: hashToUuid(`memory\n${key}`), title: key })
    else if (fields.length > 0) builder.update({ kind: 'memory', id: existing.id, title: key, fields })
    else builder.addUnchanged()
    return !existing || fields.length > 0
  })
}
