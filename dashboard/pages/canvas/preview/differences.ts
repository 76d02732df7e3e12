import type { Block } from '../store/items.ts'

/** A block of an earlier state. */
export type BlockState = Omit<
  Block,
  'projectId' | 'version' | 'createdBy' | 'runId' | 'createdAt' | 'updatedAt'
>

const FIELDS = [
  'type',
  'x',
  'y',
  'width',
  'height',
  'rotation',
  'parentId',
  'title',
  'content',
  'fileId',
  'color',
] as const

export interface Differences {
  /** In the earlier state only: a restore creates them again. */
  restored: string[]
  changed: string[]
  /** In the current state only: a restore removes them. */
  removed: string[]
}

/** The differences that a restore of the earlier blocks would make. */
export function differencesOf(
  earlier: readonly BlockState[],
  currentBlocks: ReadonlyMap<string, BlockState>,
): Differences {
  const ids = new Set(earlier.map(({ id }) => id))
  const isChanged = (block: BlockState) => {
    const current = currentBlocks.get(block.id)
    if (!current) return false
    return (
      FIELDS.some((field) => block[field] !== current[field]) ||
      (block.type !== 'agent' && JSON.stringify(block.metadata) !== JSON.stringify(current.metadata))
    )
  }
  return {
    restored: earlier.filter(({ id }) => !currentBlocks.has(id)).map(({ id }) => id),
    changed: earlier.filter(isChanged).map(({ id }) => id),
    removed: [...currentBlocks.keys()].filter((id) => !ids.has(id)),
  }
}

/** For example “3 blocks are restored, 1 block changes, 2 blocks are removed”. */
export function summaryOfDifferences({ restored, changed, removed }: Differences): string {
  const count = (length: number, singular: string, plural: string) =>
    length === 0 ? [] : [`${length.toLocaleString('en')} ${length === 1 ? singular : plural}`]
  const parts = [
    ...count(restored.length, 'block is restored', 'blocks are restored'),
    ...count(changed.length, 'block changes', 'blocks change'),
    ...count(removed.length, 'block is removed', 'blocks are removed'),
  ]
  return parts.length > 0 ? parts.join(', ') : 'The blocks are the same as now'
}
