import { nameOf, TYPE_WORDS } from '../blocks/block-labels.ts'
import type { Block, BlockType, Change } from '../store/items.ts'

/** Changes of one author this close together are one moment. */
const TOGETHER_MS = 60_000

/** What somebody, or a run, did in one go. */
export interface Moment {
  /** The last of its changes: what “restore to here” goes back to. */
  seq: number
  at: string
  by: string
  runId: string | null
  /** Newest first. */
  changes: Change[]
}

/** Groups changes, newest first, by who made them and when. */
export function momentsOf(changes: readonly Change[]): Moment[] {
  const moments: Moment[] = []
  for (const change of changes) {
    const last = moments.at(-1)
    const oldest = last?.changes.at(-1)
    const isSame = last && last.runId === change.runId && last.by === authorOf(change)
    if (isSame && oldest && Date.parse(oldest.createdAt) - Date.parse(change.createdAt) <= TOGETHER_MS) {
      last.changes.push(change)
    } else {
      moments.push({
        seq: change.seq,
        at: change.createdAt,
        by: authorOf(change),
        runId: change.runId,
        changes: [change],
      })
    }
  }
  return moments
}

const authorOf = ({ by }: Change) => by?.name ?? 'A guest'

const VERBS = { created: 'added', updated: 'changed', moved: 'moved', deleted: 'removed' } as const

/** In a few words: “added 3 blocks and a connection, moved 2 blocks”. */
export function summaryOf({ changes }: Moment): string {
  const counts = new Map<string, { block: Set<string>; edge: Set<string> }>()
  for (const { action, entity, itemId } of changes) {
    const verb = VERBS[action]
    const count = counts.get(verb) ?? { block: new Set(), edge: new Set() }
    count[entity].add(itemId)
    counts.set(verb, count)
  }
  return [...counts]
    .map(([verb, { block, edge }]) => {
      const what = [several(block.size, 'block'), several(edge.size, 'connection')].filter(Boolean)
      return `${verb} ${what.join(' and ')}`
    })
    .join(', ')
}

function several(count: number, noun: string): string {
  if (count === 0) return ''
  return count === 1 ? `a ${noun}` : `${count.toLocaleString('en')} ${noun}s`
}

/** What one change was about. */
export function subjectOf(change: Change, blocks: ReadonlyMap<string, Block>): string {
  if (change.entity === 'edge') return 'Connection'
  const known = blocks.get(change.itemId)
  const told = { ...change.before, ...change.after } as Partial<Block>
  const type = (told.type ?? known?.type ?? 'text') as BlockType
  const name = nameOf({
    type,
    title: told.title ?? known?.title ?? null,
    content: told.content ?? known?.content ?? null,
  })
  return name === TYPE_WORDS[type] ? name : `${TYPE_WORDS[type]} “${name}”`
}

export interface Difference {
  field: string
  before: string
  after: string
}

const FIELDS: Record<string, string> = {
  type: 'Type',
  title: 'Name',
  content: 'Words',
  color: 'Colour',
  locked: 'Locked',
  parentId: 'Group',
  fileId: 'File',
  metadata: 'Metadata',
  zIndex: 'Order',
  rotation: 'Rotation',
  label: 'Label',
}

/** Before and after, in words; places and sizes are one line each. */
export function differencesOf({ action, before, after }: Change): Difference[] {
  if (action === 'created' || action === 'deleted') return []
  const [was, is] = [before ?? {}, after ?? {}]
  const named = Object.keys(is).filter((field) => FIELDS[field])
  const differences = named.map((field) => ({
    field: FIELDS[field]!,
    before: say(was[field]),
    after: say(is[field]),
  }))
  const pair = (field: string, [one, other]: [string, string], sign: string) => {
    if (!(one in is) && !(other in is)) return []
    const value = (from: Record<string, unknown>) =>
      [one, other].map((name) => (name in from ? round(from[name]) : '·')).join(sign)
    return [{ field, before: value(was), after: value(is) }]
  }
  return [...differences, ...pair('Place', ['x', 'y'], ', '), ...pair('Size', ['width', 'height'], ' × ')]
}

const round = (value: unknown) => (typeof value === 'number' ? Math.round(value).toLocaleString('en') : '·')

function say(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'nothing'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
