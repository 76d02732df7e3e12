import { counted } from '../../../../contract/counted.ts'
import { LOCALE, t } from '../../../../contract/text.ts'
import { blockName, TYPE_LABELS } from '../model/block-labels.ts'
import type { Block, BlockType, Change } from '../store/items.ts'

/** Groups one author's changes within this time. */
const GROUP_WINDOW_MS = 60_000

/** Consecutive changes by one user or run. */
export interface ChangeGroup {
  /** Sequence number of its last change, the target of “Restore to here”. */
  seq: number
  at: string
  by: string
  runId: string | null
  /** False where history was pruned. */
  isRestorable: boolean
  /** Newest first. */
  changes: Change[]
}

/** Expects changes newest first. */
export function groupChanges(changes: readonly Change[]): ChangeGroup[] {
  const groups: ChangeGroup[] = []
  for (const change of changes) {
    const last = groups.at(-1)
    const oldest = last?.changes.at(-1)
    const isSame = last && last.runId === change.runId && last.by === authorOf(change)
    if (isSame && oldest && Date.parse(oldest.createdAt) - Date.parse(change.createdAt) <= GROUP_WINDOW_MS) {
      last.changes.push(change)
    } else {
      groups.push({
        seq: change.seq,
        at: change.createdAt,
        by: authorOf(change),
        runId: change.runId,
        isRestorable: change.restorable !== false,
        changes: [change],
      })
    }
  }
  return groups
}

const authorOf = ({ by }: Change) => by?.name ?? t`Guest`

const SENTENCES: Record<Change['action'], (items: string) => string> = {
  created: (items) => t`added ${items}`,
  updated: (items) => t`changed ${items}`,
  moved: (items) => t`moved ${items}`,
  deleted: (items) => t`removed ${items}`,
}

/** For example “added 3 blocks and a connection, moved 2 blocks”. */
export function summarizeChanges({ changes }: ChangeGroup): string {
  const counts = new Map<Change['action'], { block: Set<string>; edge: Set<string> }>()
  for (const { action, entity, itemId } of changes) {
    const count = counts.get(action) ?? { block: new Set(), edge: new Set() }
    count[entity].add(itemId)
    counts.set(action, count)
  }
  return [...counts]
    .map(([action, { block, edge }]) => {
      const blocks = countItems(block.size, t`a block`, counted(block.size, 'block'))
      const edges = countItems(edge.size, t`a connection`, counted(edge.size, 'connection'))
      return SENTENCES[action](list.format([blocks, edges].filter((text) => text !== '')))
    })
    .join(', ')
}

const list = new Intl.ListFormat(LOCALE)

const countItems = (count: number, one: string, many: string) => (count === 0 ? '' : count === 1 ? one : many)

export function changeSubject(change: Change, blocks: ReadonlyMap<string, Block>): string {
  if (change.entity === 'edge') return t`Connection`
  const current = blocks.get(change.itemId)
  const fields = { ...change.before, ...change.after } as Partial<Block>
  const type = (fields.type ?? current?.type ?? 'text') as BlockType
  const name = blockName({
    type,
    title: fields.title ?? current?.title ?? null,
    content: fields.content ?? current?.content ?? null,
  })
  return name === TYPE_LABELS[type] ? name : `${TYPE_LABELS[type]} “${name}”`
}

export interface Difference {
  field: string
  before: string
  after: string
}

const FIELDS: Record<string, string> = {
  type: t`Type`,
  title: t`Name`,
  content: t`Text`,
  color: t`Color`,
  locked: t`Locked`,
  parentId: t`Group`,
  fileId: t`File`,
  metadata: t`Metadata`,
  zIndex: t`Order`,
  rotation: t`Rotation`,
  label: t`Label`,
  style: t`Style`,
  condition: t`Condition`,
}

/** Position and size are one entry each. */
export function listDifferences(
  { action, before, after }: Change,
  blocks: ReadonlyMap<string, Block>,
): Difference[] {
  if (action === 'created' || action === 'deleted') return []
  const [previous, next] = [before ?? {}, after ?? {}]
  const knownFields = Object.keys(next).filter((field) => FIELDS[field])
  const differences = knownFields.map((field) => ({
    field: FIELDS[field]!,
    before: formatField(field, previous[field], blocks),
    after: formatField(field, next[field], blocks),
  }))
  const pair = (field: string, [first, second]: [string, string], sign: string) => {
    if (!(first in next) && !(second in next)) return []
    const value = (from: Record<string, unknown>) =>
      [first, second].map((name) => (name in from ? round(from[name]) : '·')).join(sign)
    return [{ field, before: value(previous), after: value(next) }]
  }
  return [
    ...differences,
    ...pair(t`Position`, ['x', 'y'], ', '),
    ...pair(t`Size`, ['width', 'height'], ' × '),
  ]
}

const round = (value: unknown) => (typeof value === 'number' ? Math.round(value).toLocaleString(LOCALE) : '·')

function formatField(field: string, value: unknown, blocks: ReadonlyMap<string, Block>): string {
  if (typeof value !== 'string') return formatValue(value)
  if (field === 'parentId') return nameOfBlock(blocks.get(value), t`a removed group`)
  if (field === 'fileId') {
    const shown = [...blocks.values()].find(({ fileId }) => fileId === value)
    return nameOfBlock(shown, t`another file`)
  }
  return formatValue(value)
}

const nameOfBlock = (block: Block | undefined, fallback: string) => (block ? blockName(block) : fallback)

function formatValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return t`(empty)`
  if (typeof value === 'boolean') return value ? t`yes` : t`no`
  return typeof value === 'string' ? value : JSON.stringify(value)
}
