import { type Answer, type Block, type Canvas, type Change, type Edge, type Items, unsaved } from './items.ts'
import type { Write } from './write.ts'

/** A write of our own that the server has not confirmed yet. */
export interface Pending {
  write: Write
  effects: Map<string, Effect>
}
type Effect = { made: Block | Edge } | { patch: object } | 'gone'

export type Watcher = (changed: ReadonlySet<string>) => void

/**
 * The canvas in two layers: what the server has said, and above it our own writes that it has not confirmed. What is
 * shown is both, so that a write of our own wins until it is settled, and vanishes without a trace when it is refused.
 */
export function createLayers(projectId: string, canvas: Pick<Canvas, 'items' | 'edges' | 'seq'>) {
  const base = { blocks: new Map<string, Block>(), edges: new Map<string, Edge>() }
  const shown = { blocks: new Map<string, Block>(), edges: new Map<string, Edge>() }
  /** The number of the change after which an item was as the base has it. */
  const heard = new Map<string, number>()
  let pending: Pending[] = []
  let seq = 0
  const watchers = new Set<Watcher>()

  function put(id: string, item: Block | Edge | undefined, at: number) {
    // An answer and the stream tell of the same change, in any order: the later state stays.
    if ((heard.get(id) ?? 0) > at) return
    heard.set(id, at)
    base.blocks.delete(id)
    base.edges.delete(id)
    if (!item) return
    if ('type' in item) base.blocks.set(id, item)
    else base.edges.set(id, item)
  }

  function refresh(ids: Iterable<string>): ReadonlySet<string> {
    const changed = new Set<string>()
    for (const id of ids) {
      const before = shown.blocks.get(id) ?? shown.edges.get(id)
      const after = folded(id, base.blocks.get(id) ?? base.edges.get(id), pending)
      if (before === after) continue
      changed.add(id)
      if (!after) {
        shown.blocks.delete(id)
        shown.edges.delete(id)
      } else if ('type' in after) shown.blocks.set(id, after)
      else shown.edges.set(id, after)
    }
    if (changed.size > 0) for (const watcher of watchers) watcher(changed)
    return changed
  }

  function load({ items, edges, seq: at }: Pick<Canvas, 'items' | 'edges' | 'seq'>) {
    const touched = new Set([...shown.blocks.keys(), ...shown.edges.keys()])
    base.blocks = new Map(items.map((block) => [block.id, block]))
    base.edges = new Map(edges.map((edge) => [edge.id, edge]))
    for (const id of [...base.blocks.keys(), ...base.edges.keys()]) touched.add(id)
    for (const id of touched) heard.set(id, at)
    seq = at
    refresh(touched)
  }
  load(canvas)

  return {
    base: base as Items,
    shown: shown as Items,
    /** The last change that was heard of: where the stream goes on from. */
    seq: () => seq,
    pending: (): readonly Pending[] => pending,
    isSaved: (id: string) => base.blocks.has(id) || base.edges.has(id),
    watch: (watcher: Watcher) => {
      watchers.add(watcher)
      return () => void watchers.delete(watcher)
    },
    load,

    /** Shows a write at once. */
    add(write: Write): Pending {
      const entry = { write, effects: effectsOf(write, projectId) }
      pending = [...pending, entry]
      refresh(entry.effects.keys())
      return entry
    },

    /** The server did them. */
    settle(done: readonly Pending[], answer: Answer) {
      pending = pending.filter((entry) => !done.includes(entry))
      // The version of a block is the number of the change that it was last part of.
      for (const block of answer.blocks) put(block.id, block, block.version)
      for (const edge of answer.edges) put(edge.id, edge, answer.seq)
      for (const id of [...answer.deleted.blocks, ...answer.deleted.edges]) put(id, undefined, answer.seq)
      refresh(new Set([...touchedBy(done), ...touchedIn(answer)]))
    },

    /** The server refused them. */
    drop(refused: readonly Pending[]) {
      pending = pending.filter((entry) => !refused.includes(entry))
      refresh(touchedBy(refused))
    },

    /** Somebody changed something, perhaps we ourselves. Returns what looks different now. */
    hear(changes: readonly Change[]) {
      const news = changes.filter((change) => change.seq > (heard.get(change.itemId) ?? 0))
      for (const change of news) put(change.itemId, after(change), change.seq)
      seq = Math.max(seq, ...changes.map((change) => change.seq))
      return refresh(new Set(news.map(({ itemId }) => itemId)))
    },
  }

  function after(change: Change): Block | Edge | undefined {
    if (change.action === 'deleted' || !change.after) return undefined
    const now = base.blocks.get(change.itemId) ?? base.edges.get(change.itemId)
    if (change.action !== 'created') return now && { ...now, ...change.after }
    if (change.entity === 'edge') return { id: change.itemId, ...change.after } as Edge
    const block = { id: change.itemId, ...change.after } as Block
    return { ...unsaved(block, projectId), ...block, runId: change.runId, createdAt: change.createdAt }
  }
}

export type Layers = ReturnType<typeof createLayers>

function folded(id: string, from: Block | Edge | undefined, pending: readonly Pending[]) {
  let item = from
  for (const { effects } of pending) {
    const effect = effects.get(id)
    if (!effect) continue
    if (effect === 'gone') item = undefined
    else if ('made' in effect) item = effect.made
    else if (item) item = { ...item, ...effect.patch }
  }
  return item
}

function effectsOf(write: Write, projectId: string): Map<string, Effect> {
  const effects = new Map<string, Effect>()
  for (const block of write.create.blocks) effects.set(block.id, { made: unsaved(block, projectId) })
  for (const edge of write.create.edges) effects.set(edge.id, { made: edge })
  for (const patch of [...write.update.blocks, ...write.update.edges]) effects.set(patch.id, { patch })
  for (const id of [...write.delete.blocks, ...write.delete.edges]) effects.set(id, 'gone')
  return effects
}

const touchedBy = (entries: readonly Pending[]) => entries.flatMap(({ effects }) => [...effects.keys()])
const touchedIn = ({ blocks, edges, deleted }: Answer) => [
  ...blocks.map(({ id }) => id),
  ...edges.map(({ id }) => id),
  ...deleted.blocks,
  ...deleted.edges,
]
