import type { Filter, FilterField, FilterValue } from './parse-filter.ts'

/** The fields of an event that a filter can name. */
export interface FilteredEvent {
  eventKey: string
  change: string
  text: string | null
  thread: string
  actor: { id: string | null; name: string | null; isBot: boolean }
  resource: { type: string; id: string; url: string | null } | null
}

/** Whether an event passes a filter. `contains` and `starts with` ignore case; a field without a value matches only null. */
export function matchesFilter(filter: Filter, provider: string, event: FilteredEvent): boolean {
  const test = (part: Filter): boolean => {
    switch (part.is) {
      case 'and':
        return part.parts.every(test)
      case 'or':
        return part.parts.some(test)
      case 'not':
        return !test(part.part)
      case 'field':
        return Boolean(fieldOf(part.field, provider, event))
      default:
        return compare(part, fieldOf(part.field, provider, event))
    }
  }
  return test(filter)
}

type Comparison = Extract<Filter, { field: FilterField; value: FilterValue } | { is: 'in' }>

function compare(part: Comparison, actual: FilterValue): boolean {
  if (part.is === 'in') return part.values.some((value) => isSame(actual, value))
  if (part.is === '==') return isSame(actual, part.value)
  if (part.is === '!=') return !isSame(actual, part.value)
  if (actual === null || part.value === null) return false
  const [text, expected] = [String(actual).toLowerCase(), String(part.value).toLowerCase()]
  return part.is === 'contains' ? text.includes(expected) : text.startsWith(expected)
}

/** Ids that are numbers at some providers are texts at others. */
const isSame = (actual: FilterValue, expected: FilterValue) =>
  actual === null || expected === null ? actual === expected : String(actual) === String(expected)

function fieldOf(field: FilterField, provider: string, event: FilteredEvent): FilterValue {
  const { actor, resource } = event
  const values: Record<FilterField, FilterValue> = {
    provider,
    event: event.eventKey,
    change: event.change,
    text: event.text,
    thread: event.thread,
    'actor.id': actor.id,
    'actor.name': actor.name,
    'actor.bot': actor.isBot,
    'resource.type': resource?.type ?? null,
    'resource.id': resource?.id ?? null,
    'resource.url': resource?.url ?? null,
  }
  return values[field]
}
