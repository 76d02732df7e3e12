import { createStore, localStore } from '../../state/store.ts'
import type { FigureTool } from './model/figures.ts'
import type { BlockType } from './store/items.ts'

/** The active tool: select, pan, add a block, or draw a figure. */
export type Tool =
  | 'select'
  | 'hand'
  | Exclude<BlockType, 'image' | 'file' | 'group' | 'embed' | 'shape' | 'drawing'>
  | FigureTool

export interface EditedField {
  id: string
  field: 'title' | 'content' | 'label'
}

/** The block whose comments are open, and the thread to show. */
export interface OpenComments {
  blockId: string
  threadId?: string | undefined
}

interface AgentQuestion {
  /** New for every question. */
  key: string
  blocks: readonly { kind: 'block'; id: string; name: string }[]
}

/** The local state of one open canvas; not shared with other users. */
export const createUiState = () => ({
  tool: createStore<Tool>('select'),
  /** The field of a block or edge that is being edited. */
  editing: createStore<EditedField | null>(null),
  /** The block that was just edited, until its height is adjusted. */
  resizing: createStore<string | null>(null),
  /** The source of a connection whose target the user selects next. */
  connecting: createStore<string | null>(null),
  /** The screen position of the open context menu. */
  menu: createStore<{ x: number; y: number } | null>(null),
  /** The block under the pointer; shows its handles. */
  hovered: createStore<string | null>(null),
  /** The last pointer position in canvas coordinates. */
  pointer: createStore<{ x: number; y: number } | null>(null),
  /** Blocks that stay selected while Tab moves on. */
  pinned: createStore<ReadonlySet<string>>(new Set()),
  /** The blocks that the user last asked an agent about. */
  agentQuestion: createStore<AgentQuestion>({ key: 'canvas', blocks: [] }),
  /** The slide of the presentation. */
  presenting: createStore<string | null>(null),
  /** The image whose crop the user edits. */
  cropping: createStore<string | null>(null),
  commenting: createStore<OpenComments | null>(null),
  /** Open threads by block. */
  commentCounts: createStore<ReadonlyMap<string, number>>(new Map()),
  /** The path of the page that a menu opened. */
  page: createStore(''),
  /** Whether blocks snap to the grid; takes precedence over `snapToBlocks`. */
  snapToGrid: storedFlag('atrium.canvas.snap', false),
  snapToBlocks: storedFlag('atrium.canvas.guides', true),
  map: storedFlag('atrium.canvas.map', true),
})

function storedFlag(key: string, initial: boolean) {
  const read = localStore.read(key)
  const flag = createStore(read === null ? initial : read === 'yes')
  return {
    ...flag,
    toggle: () => {
      flag.set(!flag.get())
      localStore.write(key, flag.get() ? 'yes' : 'no')
    },
  }
}
