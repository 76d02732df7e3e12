export interface Node {
  id: string
  name: string
  kind: 'folder' | 'upload' | 'link'
  parent: Node | null
  target?: string | undefined
  /** Ancestors when deleted separately. */
  from?: { id: string; name: string }[] | undefined
  /** The deleted folder it went with, or itself. */
  trashedBy?: Node | undefined
}

export function createTreeModel() {
  let nodes: Node[] = []

  const above = (node: Node): Node[] => (node.parent ? [...above(node.parent), node.parent] : [])
  const isIn = (node: Node, folder: Node) => above(node).includes(folder)
  const live = () => nodes.filter(({ trashedBy }) => !trashedBy)
  const childrenOf = (parent: Node | null) => live().filter((node) => node.parent === parent)

  function add(node: Node): Node {
    nodes.push(node)
    return node
  }

  return {
    all: () => nodes,
    above,
    isIn,
    live,
    childrenOf,
    add,
    folders: () => live().filter(({ kind }) => kind === 'folder'),
    trash: () => nodes.filter(({ from }) => from),
    isMissing: (id: string) => !live().some((node) => node.id === id),

    remove(node: Node): void {
      node.from = above(node).map(({ id, name }) => ({ id, name }))
      const deleted = nodes.filter((each) => each === node || (isIn(each, node) && !each.trashedBy))
      for (const each of deleted) each.trashedBy = node
    },

    restore(node: Node, parent: Node | null): void {
      node.parent = parent
      node.from = undefined
      for (const each of nodes) if (each.trashedBy === node) each.trashedBy = undefined
    },

    /** Separately deleted entries aren't purged with their folder. */
    purge(node: Node): void {
      const purged = nodes.filter((each) => each.trashedBy === node)
      nodes = nodes.filter((each) => !purged.includes(each))
      for (const each of nodes) if (each.parent && purged.includes(each.parent)) each.parent = null
    },
  }
}

export type TreeModel = ReturnType<typeof createTreeModel>
