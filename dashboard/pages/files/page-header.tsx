import { FolderTree, PanelLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { openFolders, toggleTree, useTreeHidden } from './tree/tree-state.ts'

/** Before the title: how to reach the folders, and the way that led here. */
export function Lead({ beside, children }: { beside: boolean; children?: ReactNode }) {
  const hidden = useTreeHidden()
  const label = hidden ? 'Show folders' : 'Hide folders'
  return (
    <>
      <span className={`-ml-4 ${beside ? 'xl:hidden' : 'md:hidden'}`}>
        <Button look="quiet" size="small-icon" aria-label="Folders" title="Folders" onClick={openFolders}>
          <FolderTree aria-hidden className="icon" />
        </Button>
      </span>
      <span className={`-ml-4 hidden ${beside ? 'xl:block' : 'md:block'}`}>
        <Button look="quiet" size="small-icon" aria-label={label} title={label} onClick={toggleTree}>
          <PanelLeft aria-hidden className="icon" />
        </Button>
      </span>
      {children}
    </>
  )
}
