import { createStore, localStore } from '../../state/store.ts'
import type { FigureTool } from './model/figures.ts'
import type { BlockType } from './store/items.ts'

export type Tool =
  | 'select'
  | 'hand'
  | Exclude<BlockType, 'image' | 'file' | 'group' | 'embed' | 'shape' | 'drawing' | 'table'>
  | FigureTool

export interface EditedField {
  id: string
  field: 'title' | 'content' | 'label'
}

export interface OpenComments {
  blockId: string
  threadId?: string | undefined
}

interface AgentQuestion {
  /** Changes with every question. */
  key: string
  blocks: readonly { kind: 'block'; id: string; name: string }[]
}

/** Local state, not shared with other users. */
export const createUiState = () => ({
  tool: createStore<Tool>('select'),
  editing: createStore<EditedField | null>(null),
  /** The block just edited, until its height is adjusted. */
  resizing: createStore<string | null>(null),
  /** Source of a connection while the user picks its target. */
  connecting: createStore<string | null>(null),
  /** In screen coordinates. */
  menu: createStore<{ x: number; y: number } | null>(null),
  hovered: createStore<string | null>(null),
  /** In canvas coordinates. */
  pointer: createStore<{ x: number; y: number } | null>(null),
  /** Stay selected while Tab moves on. */
  pinned: createStore<ReadonlySet<string>>(new Set()),
  agentQuestion: createStore<AgentQuestion>({ key: 'canvas', blocks: [] }),
  presenting: createStore<string | null>(null),
  cropping: createStore<string | null>(null),
  /** The edge whose condition is edited. */
  conditioning: createStore<string | null>(null),
  /** The agent block whose step is edited. */
  configuring: createStore<string | null>(null),
  commenting: createStore<OpenComments | null>(null),
  /** The agent block whose last run is shown. */
  inspecting: createStore<string | null>(null),
  /** Key of the participant whose cursor the view follows. */
  following: createStore<string | null>(null),
  /** Open threads by block. */
  commentCounts: createStore<ReadonlyMap<string, number>>(new Map()),
  /** Path of the page a menu opened. */
  page: createStore(''),
  /** Takes precedence over `snapToBlocks`. */
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
