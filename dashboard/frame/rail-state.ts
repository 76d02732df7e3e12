import { remembered } from '../state/local-storage.ts'
import { createStore } from '../state/store.ts'

const KEY = 'atrium.rail'

const collapsed = createStore(remembered.read(KEY) === 'collapsed')

export const useRailCollapsed = collapsed.use

export function toggleRail() {
  collapsed.set(!collapsed.get())
  remembered.write(KEY, collapsed.get() ? 'collapsed' : null)
}
