import type { Field } from './fields.ts'

/** Where fields are listed first. */
export interface Place {
  anchor: string
  title: string
  /** Of the object that has them, such as `items[]`; empty for all fields of the list. */
  path: string
}

export interface Row {
  field: Field
  /** Its fields are listed there. */
  same?: Place
}

/** A record that several operations of a page return is listed once. */
export type ListedFields = Map<string, Place>

/** Fewer are read faster than a link is followed. */
const REPEATED_MIN = 8

/** Rows, or the place where exactly these fields are listed. */
export function withoutRepeated(
  fields: Field[],
  listed: ListedFields,
  place: Omit<Place, 'path'>,
  path = '',
): Row[] | Place {
  if (fields.length >= REPEATED_MIN) {
    const key = JSON.stringify(fields)
    const first = listed.get(key)
    if (first) return first
    listed.set(key, { ...place, path })
  }
  const rows: Row[] = []
  for (let at = 0; at < fields.length; ) {
    const field = fields[at++]!
    const start = at
    while (at < fields.length && isInside(fields[at]!, field)) at++
    const inside = fields.slice(start, at)
    const [list = ''] = /^(\[\]|\.\*)*/.exec(inside[0]?.path.slice(field.path.length) ?? '') ?? []
    const prefix = `${field.path}${list}.`
    const nested = withoutRepeated(
      inside.map((child) => ({ ...child, path: child.path.slice(prefix.length) })),
      listed,
      place,
      `${path && `${path}.`}${field.path}${list}`,
    )
    if (!Array.isArray(nested)) rows.push({ field, same: nested })
    else rows.push({ field }, ...nested.map((row) => ({ ...row, field: within(prefix, row.field) })))
  }
  return rows
}

const within = (prefix: string, field: Field): Field => ({ ...field, path: prefix + field.path })

const isInside = (child: Field, parent: Field) =>
  child.path.startsWith(parent.path) && /^[.[]/.test(child.path.slice(parent.path.length))
