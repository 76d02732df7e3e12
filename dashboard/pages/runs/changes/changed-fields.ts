import type { RunChange } from '../../../api/runs.ts'

export interface ChangedField {
  field: string
  before: string
  after: string
}

/** Of interest to programs only. The text of a file is compared separately. */
const HIDDEN = new Set(['sha256', 'parentId', 'updatedAt', 'createdAt', 'seq', 'zIndex'])

/** The fields whose values differ, as text; empty values of a created or deleted item are left out. */
export function changedFields({ before, after }: Pick<RunChange, 'before' | 'after'>): ChangedField[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  return names
    .filter((field) => !HIDDEN.has(field))
    .map((field) => ({ field, before: textOf(before?.[field]), after: textOf(after?.[field]) }))
    .filter((change) => change.before !== change.after)
}

function textOf(value: unknown): string {
  if (value === null || value === undefined || value === false) return ''
  if (value === true) return 'yes'
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.every((entry) => typeof entry === 'string')) return value.join(', ')
  if (typeof value === 'object' && Object.keys(value).length === 0) return ''
  return JSON.stringify(value, null, 2)
}
