import type { z } from 'zod'
import type { ManifestRow as Schema } from '../../../../contract/projects/project-export.ts'
import { TABLE_LIMITS } from '../../../../contract/projects/table-options.ts'
import { badField } from '../../../errors.ts'

export type ManifestRow = z.output<typeof Schema>

/** Per part. A part is read as objects when it's restored. */
const PART_ROWS = 500
const PART_CHARACTERS = 1_048_576

/** Packs a table's rows into JSON lists. Errors name fields under `path`. */
export function createRowPacker(path: string) {
  const ids = new Set<string>()
  const parts: Uint8Array[] = []
  let texts: string[] = []
  let characters = 0
  const pack = () => {
    if (texts.length > 0) parts.push(new TextEncoder().encode(`[${texts.join(',')}]`))
    texts = []
    characters = 0
  }
  return {
    add({ id: given, ...row }: ManifestRow): void {
      const id = given.toLowerCase()
      if (ids.has(id)) throw badField(`${path}.rows.${ids.size}.id`, 'is a duplicate')
      if (ids.size === TABLE_LIMITS.rows)
        throw badField(`${path}.rows`, `must have at most ${TABLE_LIMITS.rows} rows`)
      ids.add(id)
      const text = JSON.stringify({ id, ...row })
      texts.push(text)
      characters += text.length
      if (texts.length === PART_ROWS || characters >= PART_CHARACTERS) pack()
    },
    count: () => ids.size,
    finish(): Uint8Array[] {
      pack()
      return parts
    },
  }
}
