import { isDeepStrictEqual } from 'node:util'
import type { Document } from './document.ts'
import { namesIn, REFERENCE_FIELDS, type References } from './references.ts'

export interface FieldChange {
  field: string
  /** Undefined for a new record. */
  before: unknown
  after: unknown
}

/** The fields that a document changes; for a new record, all fields of the document. */
export function changesOf(
  current: Record<string, unknown> | null,
  { kind, name, fields }: Document,
  references: References,
): FieldChange[] {
  const documentFields = current ? { name, ...fields } : fields
  return Object.entries(documentFields).flatMap(([field, value]) => {
    if (value === undefined || field === 'project') return []
    const before = current?.[field]
    const after = field === 'tools' && current ? { ...(before as object), ...(value as object) } : value
    const target = REFERENCE_FIELDS[kind]?.[field]
    const normalize = (each: unknown) =>
      target
        ? namesIn(each).map((ref) => references.idOf(target, ref) ?? `new ${ref}`)
        : toComparable(field, each)
    return current && isDeepStrictEqual(normalize(before), normalize(after)) ? [] : [{ field, before, after }]
  })
}

/** The server stores an empty text as null, an amount with six decimals, and files in the order of their paths. */
function toComparable(field: string, value: unknown): unknown {
  if (value === '' || value === undefined) return null
  if (field === 'files') return bytesByPath(value)
  if (typeof value === 'object' && value !== null && 'amount' in value)
    return { ...value, amount: Number(value.amount) }
  return value
}

export interface DocumentFile {
  path: string
  text?: string
  base64?: string
}

/** The contents of files as base64, by path. */
export const bytesByPath = (files: unknown): Record<string, string> =>
  Object.fromEntries(
    ((files ?? []) as DocumentFile[])
      .map(({ path, text, base64 }) => [path, base64 ?? Buffer.from(text ?? '').toString('base64')] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )
