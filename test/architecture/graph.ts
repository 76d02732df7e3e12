/** A directed graph as adjacency lists. */
export type Graph = Map<string, Set<string>>

export function graphOf(edges: Iterable<readonly [from: string, to: string]>): Graph {
  const graph: Graph = new Map()
  for (const [from, to] of edges) graph.set(from, (graph.get(from) ?? new Set()).add(to))
  return graph
}

/** The cycles that a depth-first search closes, each as `a → b → a`; empty if the graph has none. */
export function cyclesOf(graph: Graph): string[] {
  const done = new Set<string>()
  const cycles: string[] = []
  const visit = (node: string, path: string[]) => {
    if (path.includes(node)) cycles.push([...path.slice(path.indexOf(node)), node].join(' → '))
    else if (!done.has(node)) {
      for (const next of graph.get(node) ?? []) visit(next, [...path, node])
      done.add(node)
    }
  }
  for (const node of graph.keys()) visit(node, [])
  return cycles
}
