import {
  type Block,
  type Canvas,
  type Change,
  type Edge,
  type Items,
  unsavedBlock,
  type WriteResult,
} from './items.ts'
import type { Write } from './write.ts'

export interface PendingWrite {
  write: Write
  effects: Map<string, Effect>
}
type Effect = { created: Block | Edge } | { patch: object } | 'deleted'

export type Watcher = (changed: ReadonlySet<string>) => void

/**
 * Confirmed state with pending local writes on top. A pending write beats remote changes until confirmed, and
 * disappears if rejected.
 */
export function createOptimisticStore(projectId: string, canvas: Pick<Canvas, 'items' | 'edges' | 'seq'>) {
  const base = { blocks: new Map<string, Block>(), edges: new Map<string, Edge>() }
  const visible = { blocks: new Map<string, Block>(), edges: new Map<string, Edge>() }
  /** Each item's last applied sequence number. */
  const versions = new Map<string, number>()
  let pending: PendingWrite[] = []
  let seq = 0
  const watchers = new Set<Watcher>()

  function put(id: string, item: Block | Edge | undefined, at: number) {
    // Response and stream may report a change in any order: the later state wins.
    if ((versions.get(id) ?? 0) > at) return
    versions.set(id, at)
    base.blocks.delete(id)
    base.edges.delete(id)
    if (!item) return
    if ('type' in item) base.blocks.set(id, item)
    else base.edges.set(id, item)
  }

  function refresh(ids: Iterable<string>): ReadonlySet<string> {
    const changed = new Set<string>()
    for (const id of ids) {
      const before = visible.blocks.get(id) ?? visible.edges.get(id)
      const after = withPending(id, base.blocks.get(id) ?? base.edges.get(id), pending)
      if (before === after) continue
      changed.add(id)
      if (!after) {
        visible.blocks.delete(id)
        visible.edges.delete(id)
      } else if ('type' in after) visible.blocks.set(id, after)
      else visible.edges.set(id, after)
    }
    if (changed.size > 0) for (const watcher of watchers) watcher(changed)
    return changed
  }

  function load({ items, edges, seq: at }: Pick<Canvas, 'items' | 'edges' | 'seq'>) {
    const touchedIds = new Set([...visible.blocks.keys(), ...visible.edges.keys()])
    base.blocks = new Map(items.toSorted(byCreation).map((block) => [block.id, block]))
    base.edges = new Map(edges.map((edge) => [edge.id, edge]))
    for (const id of [...base.blocks.keys(), ...base.edges.keys()]) touchedIds.add(id)
    for (const id of touchedIds) versions.set(id, at)
    seq = at
    refresh(touchedIds)
  }
  load(canvas)

  return {
    base: base as Items,
    visible: visible as Items,
    /** The stream resumes after this sequence number. */
    seq: () => seq,
    pending: (): readonly PendingWrite[] => pending,
    isSaved: (id: string) => base.blocks.has(id) || base.edges.has(id),
    watch: (watcher: Watcher) => {
      watchers.add(watcher)
      return () => void watchers.delete(watcher)
    },
    load,

    add(write: Write): PendingWrite {
      const entry = { write, effects: effectsOf(write, projectId) }
      pending = [...pending, entry]
      refresh(entry.effects.keys())
      return entry
    },

    confirm(confirmed: readonly PendingWrite[], result: WriteResult) {
      pending = pending.filter((entry) => !confirmed.includes(entry))
      // A block's version is the sequence number of its last change.
      for (const block of result.blocks) put(block.id, block, block.version)
      for (const edge of result.edges) put(edge.id, edge, result.seq)
      for (const id of [...result.deleted.blocks, ...result.deleted.edges]) put(id, undefined, result.seq)
      refresh(new Set([...idsOfWrites(confirmed), ...idsInResult(result)]))
    },

    reject(rejected: readonly PendingWrite[]) {
      pending = pending.filter((entry) => !rejected.includes(entry))
      refresh(idsOfWrites(rejected))
    },

    /** Includes our own changes. Returns the ids that changed visibly. */
    applyRemote(changes: readonly Change[]) {
      const newer = changes.filter((change) => change.seq > (versions.get(change.itemId) ?? 0))
      for (const change of newer) put(change.itemId, itemAfter(change), change.seq)
      seq = Math.max(seq, ...changes.map((change) => change.seq))
      return refresh(new Set(newer.map(({ itemId }) => itemId)))
    },
  }

  function itemAfter(change: Change): Block | Edge | undefined {
    if (change.action === 'deleted' || !change.after) return undefined
    const current = base.blocks.get(change.itemId) ?? base.edges.get(change.itemId)
    if (change.action !== 'created') return current && { ...current, ...change.after }
    if (change.entity === 'edge')
      return { style: {}, condition: null, ...change.after, id: change.itemId } as Edge
    const block = { id: change.itemId, ...change.after } as Block
    return { ...unsavedBlock(block, projectId), ...block, runId: change.runId, createdAt: change.createdAt }
  }
}

/** Keeps draw order stable across reloads. */
const byCreation = (one: Block, other: Block) =>
  one.createdAt.localeCompare(other.createdAt) || one.id.localeCompare(other.id)

export type OptimisticStore = ReturnType<typeof createOptimisticStore>

function withPending(id: string, from: Block | Edge | undefined, pending: readonly PendingWrite[]) {
  let item = from
  for (const { effects } of pending) {
    const effect = effects.get(id)
    if (!effect) continue
    if (effect === 'deleted') item = undefined
    else if ('created' in effect) item = effect.created
    else if (item) item = { ...item, ...effect.patch }
  }
  return item
}

function effectsOf(write: Write, projectId: string): Map<string, Effect> {
  const effects = new Map<string, Effect>()
  for (const block of write.create.blocks) effects.set(block.id, { created: unsavedBlock(block, projectId) })
  for (const edge of write.create.edges) effects.set(edge.id, { created: edge })
  for (const patch of [...write.update.blocks, ...write.update.edges]) effects.set(patch.id, { patch })
  for (const id of [...write.delete.blocks, ...write.delete.edges]) effects.set(id, 'deleted')
  return effects
}

const idsOfWrites = (entries: readonly PendingWrite[]) =>
  entries.flatMap(({ effects }) => [...effects.keys()])
const idsInResult = ({ blocks, edges, deleted }: WriteResult) => [
  ...blocks.map(({ id }) => id),
  ...edges.map(({ id }) => id),
  ...deleted.blocks,
  ...deleted.edges,
]
