import { Failure } from '../../../failure.ts'
import { isId } from '../../../parse.ts'
import type { Document } from './document.ts'
import type { Inventory } from './inventory.ts'
import type { Kind } from './kinds.ts'

/** Files can't contain MCP servers: an admin adds those in the dashboard. */
type Target = Kind | 'MCP server'

export const REFERENCE_FIELDS: Partial<Record<Kind, Record<string, Target>>> = {
  agent: { skills: 'skill', guardrails: 'guardrail', mcpServers: 'MCP server' },
  schedule: { agent: 'agent' },
}

export interface References {
  /** Null if the file creates the record, undefined if there is none. */
  idOf: (kind: Target, ref: string) => string | null | undefined
}

/** Prefers a document in the file over a server record. Doesn't look up ids. */
export function createReferences(
  documents: readonly Document[],
  { entries, mcpServers }: Inventory,
): References {
  return {
    idOf(kind, ref) {
      if (isId(ref)) return ref.toLowerCase()
      const candidates = kind === 'MCP server' ? mcpServers : entries.filter((entry) => entry.kind === kind)
      const found = candidates.filter(({ name }) => name === ref)
      const documentInFile = documents.find((document) => document.kind === kind && document.name === ref)
      if (documentInFile?.id) return documentInFile.id
      if (found.length > 1)
        throw new Failure(
          'usage',
          `${found.length} ${kind}s are named ${ref}: use an id`,
          `Ids: ${found.map(({ id }) => id).join(', ')}`,
        )
      return found[0]?.id ?? (documentInFile ? null : undefined)
    },
  }
}

/** Throws a Failure listing every missing reference. */
export function requireReferences(documents: readonly Document[], { idOf }: References): void {
  const missing = documents.flatMap(({ kind, name, fields }) =>
    Object.entries(REFERENCE_FIELDS[kind] ?? {}).flatMap(([field, target]) =>
      namesIn(fields[field])
        .filter((ref) => idOf(target, ref) === undefined)
        .map((ref) => `the ${kind} ${name} refers to the ${target} ${ref}`),
    ),
  )
  if (missing.length > 0)
    throw new Failure(
      'usage',
      `Neither in the file nor on the server: ${missing.join('; ')}`,
      'Add it to the file, or create it first.',
    )
}

export const namesIn = (value: unknown): string[] =>
  Array.isArray(value) ? (value as string[]) : typeof value === 'string' ? [value] : []
