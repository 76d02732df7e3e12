import { localStore } from '../../../../state/local-storage.ts'
import { createStore } from '../../../../state/store.ts'

const KEY = 'atrium.files.tree'

const hidden = createStore(localStore.read(KEY) === 'hidden')

export const useTreeHidden = hidden.use

export function toggleTree() {
  hidden.set(!hidden.get())
  localStore.write(KEY, hidden.get() ? 'hidden' : null)
}

/** On narrow screens the tree opens in a drawer. */
const drawer = createStore(false)

export const useFoldersOpen = drawer.use
export const openFolders = () => drawer.set(true)
export const closeFolders = () => drawer.set(false)
