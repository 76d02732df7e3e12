import { badField } from '../../../../errors.ts'

export interface Field {
  key: string
  label: string
  required: boolean
  secret?: boolean
  /** Where to find the value. */
  hint?: string
  /** A regular expression that matches the whole value. */
  pattern?: string
  placeholder?: string
  /** Used if left empty. */
  default?: string
}

type Values = Readonly<Record<string, string>>

/** Applies defaults. Errors name the field. */
export function validateFields(
  fields: readonly Field[],
  values: Values,
  path: string,
  { allowsMissing = false }: { allowsMissing?: boolean } = {},
): Record<string, string> {
  for (const key of Object.keys(values)) {
    if (!fields.some((field) => field.key === key)) throw badField(`${path}.${key}`, unknownMessage(fields))
  }
  const entries = fields.flatMap((field) => {
    const value = enteredValueOf(field, values)
    if (value === undefined && field.required && !allowsMissing)
      throw badField(`${path}.${field.key}`, `is required: ${field.label}`)
    if (value === undefined) return []
    if (!isMatch(field, value)) throw badField(`${path}.${field.key}`, formMessage(field))
    return [[field.key, value] as const]
  })
  return Object.fromEntries(entries)
}

const enteredValueOf = ({ key, default: fallback }: Field, values: Values) =>
  (Object.hasOwn(values, key) ? values[key]!.trim() : '') || fallback

const isMatch = ({ pattern }: Field, value: string) =>
  !/[\r\n\0]/.test(value) && (pattern === undefined || new RegExp(`^(?:${pattern})$`, 'u').test(value))

const formMessage = ({ label, pattern, placeholder }: Field) =>
  `is not a valid ${label}${placeholder ? `, such as ${placeholder}` : pattern ? `: ${pattern}` : ''}`

const unknownMessage = (fields: readonly Field[]) =>
  `is not a field of this connector, which has ${fields.length > 0 ? fields.map(({ key }) => key).join(', ') : 'none'}`
