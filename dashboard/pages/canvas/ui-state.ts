import { localStore } from '../../state/local-storage.ts'
import { createStore } from '../../state/store.ts'
import type { BlockType } from './store/items.ts'

/** What the pointer does: choose, pan, or put a new block somewhere. */
export type Tool = 'select' | 'hand' | Exclude<BlockType, 'image' | 'file' | 'group' | 'embed'>

export interface Editing {
  id: string
  field: 'title' | 'content' | 'label'
}

/** What is going on at one open canvas beside what is on it; nobody else sees this. */
export const createDesk = () => ({
  tool: createStore<Tool>('select'),
  /** The words of a block or a line that are being written. */
  editing: createStore<Editing | null>(null),
  /** The block whose words were just written, until it has made room for them. */
  written: createStore<string | null>(null),
  /** The block from which a connection is being drawn by choosing its other end. */
  connecting: createStore<string | null>(null),
  /** Where the menu of what is chosen is open. */
  menu: createStore<{ x: number; y: number } | null>(null),
  /** The block under the pointer, which offers its handles. */
  hovered: createStore<string | null>(null),
  /** Where the pointer was last, in the measure of the canvas. */
  pointer: createStore<{ x: number; y: number } | null>(null),
  /** Blocks that stay chosen while Tab goes on to others. */
  kept: createStore<ReadonlySet<string>>(new Set()),
  snaps: rememberedFlag('atrium.canvas.snap', false),
  map: rememberedFlag('atrium.canvas.map', true),
})

function rememberedFlag(key: string, initial: boolean) {
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
