import { itemsAt } from '../../definition/payload.ts'
import { valueAt } from '../../requests/template.ts'
import { displayTextAt } from '../summary.ts'

const plainText = (parts: readonly unknown[]): string =>
  parts.map((part) => displayTextAt(part, 'plain_text') ?? '').join('')

/** The title of a page, which is one of its properties, or of a database. */
export function notionTitle(item: unknown): string {
  const databaseTitle = plainText(itemsAt(item, 'title'))
  if (databaseTitle !== '') return databaseTitle
  const properties = Object.values((valueAt(item, 'properties') ?? {}) as Record<string, unknown>)
  return plainText(
    itemsAt(
      properties.find((each) => displayTextAt(each, 'type') === 'title'),
      'title',
    ),
  )
}

/** The properties of a row with their values as text, numbers and lists. Values of other types are left out. */
export function plainProperties(row: unknown): Record<string, unknown> {
  const properties = Object.entries((valueAt(row, 'properties') ?? {}) as Record<string, unknown>)
  const values = properties.map(([name, property]) => [name, plainValue(property)] as const)
  return Object.fromEntries(
    values.filter(([, value]) => value !== null && value !== undefined && value !== ''),
  )
}

function plainValue(property: unknown): unknown {
  const type = displayTextAt(property, 'type') ?? ''
  const value = valueAt(property, type)
  switch (type) {
    case 'title':
    case 'rich_text':
      return plainText(itemsAt(property, type))
    case 'select':
    case 'status':
      return displayTextAt(value, 'name')
    case 'multi_select':
    case 'people':
      return itemsAt(property, type).map((each) => displayTextAt(each, 'name') ?? displayTextAt(each, 'id'))
    case 'relation':
      return itemsAt(property, type).map((each) => displayTextAt(each, 'id'))
    case 'date':
      return [displayTextAt(value, 'start'), displayTextAt(value, 'end')].filter(Boolean).join(' to ')
    case 'formula':
    case 'rollup':
      return valueAt(value, displayTextAt(value, 'type') ?? '')
    case 'unique_id':
      return [displayTextAt(value, 'prefix'), displayTextAt(value, 'number')].filter(Boolean).join('-')
    default:
      return typeof value === 'object' ? null : value
  }
}
