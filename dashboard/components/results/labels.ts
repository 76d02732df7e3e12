import { LOCALE, t } from '../../../contract/text.ts'
import { formatMoment } from '../dates.ts'

export type Schema = Record<string, unknown>

export const toJsonText = (value: unknown): string => JSON.stringify(value, null, 2)

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Without references, alternatives and null. Empty where the value alone has to say what it is. */
export function schemaOf(root: Schema | null, node: unknown, value: unknown): Schema {
  if (!isRecord(node)) return {}
  if (typeof node.$ref === 'string') {
    const defs = isRecord(root?.$defs) ? root.$defs : {}
    return { ...schemaOf(root, defs[node.$ref.slice('#/$defs/'.length)], value), ...node, $ref: undefined }
  }
  if (!Array.isArray(node.anyOf)) return node
  const options = node.anyOf.map((each) => schemaOf(root, each, value))
  const fitting = options.find(({ type }) => type === kindOf(value)) ?? {}
  return { ...fitting, ...node }
}

const kindOf = (value: unknown) => (Array.isArray(value) ? 'array' : typeof value)

/** `dueDate` and `due_date` become “Due date”. */
export function fieldLabel(name: string, { title }: Schema): string {
  if (typeof title === 'string' && title.trim() !== '') return title
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[_.-]+/g, ' ')
    .trim()
  return words === ''
    ? name
    : words.charAt(0).toLocaleUpperCase(LOCALE) + words.slice(1).toLocaleLowerCase(LOCALE)
}

/** Required properties first, as the model wrote them, then those without a schema. */
export function fieldNames({ properties, required }: Schema, value: Record<string, unknown>): string[] {
  const listed = [
    ...(Array.isArray(required) ? (required as string[]) : []),
    ...(isRecord(properties) ? Object.keys(properties) : []),
    ...Object.keys(value),
  ]
  return [...new Set(listed)].filter((name) => Object.hasOwn(value, name))
}

export const propertyOf = ({ properties }: Schema, name: string): unknown =>
  isRecord(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined

export function scalarText(value: unknown, { format }: Schema): string {
  if (value === null || value === undefined || value === '') return '–'
  if (typeof value === 'boolean') return value ? t`Yes` : t`No`
  if (typeof value === 'number') return value.toLocaleString(LOCALE, { maximumFractionDigits: 10 })
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (format === 'date-time' && !Number.isNaN(Date.parse(text))) return formatMoment(text)
  return text
}

const BRIEF_CHARACTERS_MAX = 300
const BRIEF_FIELDS_MAX = 8

/** One line or two: a text's beginning, or a result's fields. */
export function briefResult(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = isRecord(value)
    ? Object.entries(value)
        .slice(0, BRIEF_FIELDS_MAX)
        .map(([name, field]) => `${fieldLabel(name, {})}: ${scalarText(field, {})}`)
        .join(' · ')
    : scalarText(value, {})
  return text.slice(0, BRIEF_CHARACTERS_MAX).toWellFormed()
}
