import { showHidden } from './hidden-characters.ts'

/** Most specific first. */
const TARGETS = [
  'agent',
  'path',
  'file',
  'url',
  'action',
  'question',
  'query',
  'words',
  'name',
  'title',
  'project',
  'reason',
  'id',
]
const TARGET_LENGTH_MAX = 80

/** Empty if the input names no target. */
export function callTarget(input: unknown): string {
  if (typeof input !== 'object' || input === null) return ''
  const fields = input as Record<string, unknown>
  const found = TARGETS.map((name) => fields[name]).find((value) => typeof value === 'string' && value !== '')
  if (typeof found !== 'string') return listCounts(fields)
  const line = showHidden(found.replaceAll(/\s+/g, ' ').trim())
  return line.length > TARGET_LENGTH_MAX ? `${line.slice(0, TARGET_LENGTH_MAX)}…` : line
}

/** `create 3, delete 1` */
const listCounts = (fields: Record<string, unknown>) =>
  Object.entries(fields)
    .filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]) && entry[1].length > 0)
    .map(([name, list]) => `${name} ${list.length}`)
    .join(', ')
