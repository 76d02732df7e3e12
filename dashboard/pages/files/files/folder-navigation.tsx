import { FolderTree, PanelLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { t } from '../../../../contract/text.ts'
import { Button } from '../../../components/button.tsx'
import { createStore, localStore } from '../../../state/store.ts'

export function FolderNavigation({ hasPanel, children }: { hasPanel: boolean; children?: ReactNode }) {
  const hidden = useTreeHidden()
  const label = hidden ? t`Show folders` : t`Hide folders`
  return (
    <>
      <span className={`-ml-4 ${hasPanel ? 'xl:hidden' : 'md:hidden'}`}>
        <Button look="quiet" size="small-icon" aria-label="Folders" title="Folders" onClick={openFolders}>
          <FolderTree aria-hidden className="icon" />
        </Button>
      </span>
      <span className={`-ml-4 hidden ${hasPanel ? 'xl:block' : 'md:block'}`}>
        <Button look="quiet" size="small-icon" aria-label={label} title={label} onClick={toggleTree}>
          <PanelLeft aria-hidden className="icon" />
        </Button>
      </span>
      {children}
    </>
  )
}

const KEY = 'atrium.files.tree'

const hidden = createStore(localStore.read(KEY) === 'hidden')

export const useTreeHidden = hidden.use

function toggleTree() {
  hidden.set(!hidden.get())
  localStore.write(KEY, hidden.get() ? 'hidden' : null)
}

/** On narrow screens the tree opens in a drawer. */
const drawer = createStore(false)

export const useFoldersOpen = drawer.use
const openFolders = () => drawer.set(true)
export const closeFolders = () => drawer.set(false)
