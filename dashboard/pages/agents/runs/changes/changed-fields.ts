import { t } from '../../../../../contract/text.ts'
import type { RunChange } from '../../../../api/runs.ts'

export interface ChangedField {
  field: string
  before: string
  after: string
}

const SHORT_MAX = 120

export function groupFields(fields: readonly ChangedField[], labelOf: (field: string) => string) {
  const isShort = ({ before, after }: ChangedField) =>
    [before, after].every((text) => text.length <= SHORT_MAX && !text.includes('\n'))
  const linesOf = (side: 'before' | 'after') =>
    fields
      .filter((change) => isShort(change) && change[side] !== '')
      .map((change) => `${labelOf(change.field)}: ${change[side]}`)
      .join('\n')
  return {
    short: { before: linesOf('before'), after: linesOf('after') },
    long: fields.filter((change) => !isShort(change)),
  }
}

/** Only programs read these. `FileTextDiff` compares a file's text, so its hash isn't shown. */
const HIDDEN = new Set(['sha256', 'parentId', 'updatedAt', 'createdAt', 'seq', 'zIndex'])

/** Shown if a block was moved, hidden if it was created or deleted. */
const GEOMETRY = new Set(['x', 'y', 'width', 'height', 'rotation'])

const FIRST = ['title', 'name', 'content', 'label', 'type']
const rankOf = (field: string) => (FIRST.includes(field) ? FIRST.indexOf(field) : FIRST.length)

export function changedFields({ before, after }: Pick<RunChange, 'before' | 'after'>): ChangedField[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  const isCreatedOrDeleted = before === null || after === null
  return names
    .filter((field) => !HIDDEN.has(field) && !(isCreatedOrDeleted && GEOMETRY.has(field)))
    .toSorted((a, b) => rankOf(a) - rankOf(b))
    .map((field) => ({ field, before: textOf(before?.[field]), after: textOf(after?.[field]) }))
    .filter((change) => change.before !== change.after)
}

function textOf(value: unknown): string {
  if (value === null || value === undefined || value === false) return ''
  if (value === true) return t`yes`
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.every((entry) => typeof entry === 'string')) return value.join(', ')
  if (typeof value === 'object' && Object.keys(value).length === 0) return ''
  return JSON.stringify(value, null, 2)
}
