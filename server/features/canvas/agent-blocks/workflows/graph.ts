export interface Edge {
  from: string
  to: string
}

/** In topological order. A cycle ends where it begins. */
export function orderBlocks(
  ids: readonly string[],
  edges: readonly Edge[],
): { order: string[]; cycle: null } | { order: null; cycle: string[] } {
  const targets = Map.groupBy(edges, ({ from }) => from)
  const done = new Set<string>()
  const order: string[] = []
  const visit = (id: string, path: string[]): string[] | null => {
    if (done.has(id)) return null
    if (path.includes(id)) return [...path.slice(path.indexOf(id)), id]
    for (const { to } of targets.get(id) ?? []) {
      const cycle = visit(to, [...path, id])
      if (cycle) return cycle
    }
    done.add(id)
    order.unshift(id)
    return null
  }
  for (const id of ids) {
    const cycle = visit(id, [])
    if (cycle) return { order: null, cycle }
  }
  return { order, cycle: null }
}

export type NodeState = 'queued' | 'running' | 'done' | 'failed' | 'skipped' | 'canceled'
/** No incoming edge is open, or an upstream block failed. */
export type SkipReason = 'condition' | 'failure'

export interface PlannedNode {
  blockId: string
  state: NodeState
  skipReason: SkipReason | null
  /** From blocks in this workflow. `isOpen` is null until the condition is evaluated. */
  incoming: readonly { from: string; isOpen: boolean | null }[]
}

export interface NextActions {
  start: string[]
  skip: { blockId: string; reason: SkipReason }[]
  /** Null while a block runs or can start, or a condition isn't evaluated. */
  end: 'succeeded' | 'failed' | null
}

/**
 * A block starts when all upstream blocks have ended and an incoming edge is open. A failure stops only dependent
 * blocks.
 */
export function planNext(nodes: readonly PlannedNode[]): NextActions {
  const ends = new Map(nodes.map((node) => [node.blockId, endOf(node)]))
  const waiting = new Set(nodes.filter(({ state }) => state === 'queued'))
  const start: string[] = []
  const skip: NextActions['skip'] = []
  for (let hasChanged = true; hasChanged; ) {
    hasChanged = false
    for (const node of waiting) {
      const action = actionFor(node, ends)
      if (action === null) continue
      waiting.delete(node)
      hasChanged = true
      if (action === 'start') {
        start.push(node.blockId)
        continue
      }
      skip.push({ blockId: node.blockId, reason: action })
      ends.set(node.blockId, action === 'failure' ? 'stopped' : 'closed')
    }
  }
  const isActive = start.length > 0 || waiting.size > 0 || nodes.some(({ state }) => state === 'running')
  const isStopped = [...ends.values()].includes('stopped')
  return { start, skip, end: isActive ? null : isStopped ? 'failed' : 'succeeded' }
}

/** Null while it can still run. */
type End = 'done' | 'closed' | 'stopped' | null

function endOf({ state, skipReason }: PlannedNode): End {
  if (state === 'done') return 'done'
  if (state === 'skipped') return skipReason === 'condition' ? 'closed' : 'stopped'
  return state === 'failed' || state === 'canceled' ? 'stopped' : null
}

function actionFor({ incoming }: PlannedNode, ends: ReadonlyMap<string, End>): 'start' | SkipReason | null {
  if (incoming.some(({ from }) => ends.get(from) === 'stopped')) return 'failure'
  if (incoming.length === 0) return 'start'
  const edges = incoming.map(({ from, isOpen }) => {
    const end = ends.get(from)
    return end === 'closed' ? false : end === 'done' ? isOpen : null
  })
  if (edges.includes(null)) return null
  return edges.includes(true) ? 'start' : 'condition'
}
