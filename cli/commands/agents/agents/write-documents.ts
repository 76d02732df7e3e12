import { print, sanitize } from '../../../terminal.ts'
import type { Entry, Inventory } from './inventory.ts'
import { KINDS, SECTIONS } from './kinds.ts'

/**
 * Writes a YAML file for `apply`. A name that is not unique needs the id. Long lines are not folded, so that a diff shows
 * what changed.
 */
export async function writeDocuments(
  entries: readonly Entry[],
  { isUnique }: Pick<Inventory, 'isUnique'>,
  { withIds = false } = {},
): Promise<string> {
  const { stringify } = await import('yaml')
  const sections: Record<string, object[]> = {}
  for (const [section, kind] of Object.entries(SECTIONS)) {
    const found = entries.filter((entry) => entry.kind === kind)
    if (found.length === 0) continue
    sections[section] = []
    for (const { id, name, fields } of found)
      sections[section].push({ ...((withIds || !isUnique(kind, name)) && { id }), name, ...(await fields()) })
  }
  return stringify(sections, { lineWidth: 0 })
}

/** Writes one record with its id. */
export async function writeFields({ id, name, fields }: Entry): Promise<string> {
  const { stringify } = await import('yaml')
  return stringify({ id, name, ...(await fields()) }, { lineWidth: 0 })
}

/** Removes control characters if the output is a terminal. */
export function printYaml(yaml: string): void {
  for (const line of yaml.trimEnd().split('\n')) print(process.stdout.isTTY ? sanitize(line) : line)
}

/** Sorts by section, then by name. */
export const sortEntries = (entries: readonly Entry[]): Entry[] =>
  entries.toSorted(
    (a, b) =>
      KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
  )
