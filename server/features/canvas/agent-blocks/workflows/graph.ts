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

export interface PlannedNode {
  blockId: string
  state: NodeState
  after: readonly string[]
}

export interface NextActions {
  start: string[]
  /** An upstream block failed or was canceled. */
  skip: string[]
  /** Null while a block runs or can start. */
  end: 'succeeded' | 'failed' | null
}

const STOPPED: readonly NodeState[] = ['failed', 'skipped', 'canceled']

/** A failure stops only dependent blocks. */
export function planNext(nodes: readonly PlannedNode[]): NextActions {
  const states = new Map(nodes.map(({ blockId, state }) => [blockId, state]))
  const queued = () => nodes.filter(({ blockId }) => states.get(blockId) === 'queued')
  const stopped = () => queued().filter(({ after }) => after.some((id) => STOPPED.includes(states.get(id)!)))
  const skip: string[] = []
  for (let found = stopped(); found.length > 0; found = stopped())
    for (const { blockId } of found) {
      states.set(blockId, 'skipped')
      skip.push(blockId)
    }
  const start = queued()
    .filter(({ after }) => after.every((id) => states.get(id) === 'done'))
    .map(({ blockId }) => blockId)
  const isActive = start.length > 0 || [...states.values()].includes('running')
  const isComplete = [...states.values()].every((state) => state === 'done')
  return { start, skip, end: isActive ? null : isComplete ? 'succeeded' : 'failed' }
}
