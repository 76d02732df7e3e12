import { isDeepStrictEqual } from 'node:util'
import { uuidOf } from './file-keys.ts'
import type { Manifest, ManifestMemory } from './manifest.ts'
import type { PlanBuilder } from './plan-builder.ts'

/** Memories of the manifest that are new or differ. Others are never deleted: that requires step-up. */
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
    if (!existing) builder.create({ kind: 'memory', id: uuidOf(`memory\n${key}`), title: key })
    else if (fields.length > 0) builder.update({ kind: 'memory', id: existing.id, title: key, fields })
    else builder.addUnchanged()
    return !existing || fields.length > 0
  })
}
