import { createStore, localStore } from '../state/store.ts'

const KEY = 'atrium.rail'

const collapsed = createStore(localStore.read(KEY) === 'collapsed')

export const useRailCollapsed = collapsed.use

export function toggleRail() {
  collapsed.set(!collapsed.get())
  localStore.write(KEY, collapsed.get() ? 'collapsed' : null)
}
