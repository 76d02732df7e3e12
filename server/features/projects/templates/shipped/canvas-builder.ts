import type { TemplateCanvas } from '../canvas-copy.ts'

type TemplateBlock = TemplateCanvas['blocks'][number]

interface BlockOptions {
  at: [x: number, y: number]
  size?: [width: number, height: number]
  title?: string
  content?: string
  color?: 'teal' | 'green' | 'amber' | 'red' | 'blue'
}

/** Ids are numbers in creation order. A project gets its own ids. */
export function createCanvasBuilder() {
  const blocks: TemplateBlock[] = []
  const edges: TemplateCanvas['edges'] = []
  const add = (
    type: TemplateBlock['type'],
    options: BlockOptions,
    parentId: string | null = null,
  ): string => {
    const [x, y] = options.at
    const [width, height] = options.size ?? [280, 160]
    const { title = null, content = null, color = null } = options
    const id = String(blocks.length + 1)
    const geometry = { x, y, width, height, rotation: 0, zIndex: blocks.length }
    blocks.push({ id, type, ...geometry, parentId, title, content, color, locked: false, metadata: {} })
    return id
  }
  return {
    note: (options: BlockOptions) => add('note', options),
    text: (options: BlockOptions) => add('text', options),
    agent: (options: BlockOptions) => add('agent', options),
    list: ({
      at: [x, y],
      title,
      color,
      tasks,
    }: Pick<BlockOptions, 'at' | 'title' | 'color'> & { tasks: string[] }) => {
      const size: [number, number] = [320, 64 + tasks.length * 72]
      const group = add('group', { at: [x, y], size, title, color })
      for (const [index, task] of tasks.entries())
        add('task', { at: [x + 20, y + 52 + index * 72], size: [280, 60], title: task }, group)
    },
    group: (options: BlockOptions, notes: { title: string; content: string }[]): string[] => {
      const [x, y] = options.at
      const group = add('group', { ...options, size: [320, 72 + notes.length * 176] })
      return notes.map((note, index) =>
        add('note', { at: [x + 20, y + 56 + index * 176], size: [280, 160], ...note }, group),
      )
    },
    connect: (fromBlockId: string, toBlockId: string, label: string | null = null) => {
      edges.push({ id: String(edges.length + 1), fromBlockId, toBlockId, label, style: {} })
    },
    build: (): TemplateCanvas => ({ blocks, edges, outside: [] }),
  }
}
