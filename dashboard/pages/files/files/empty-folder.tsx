import { FolderOpen, SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../../components/button.tsx'
import { Empty } from '../../../components/empty.tsx'
import { withNames } from '../../../components/name.tsx'
import type { FolderId } from './files-queries.ts'

interface EmptyFolderProps {
  id: FolderId
  action: ReactNode
  /** Why files cannot be added here; false if they can. */
  readOnly: string | false
}

export function EmptyFolder({ id, action, readOnly }: EmptyFolderProps) {
  if (readOnly) {
    return (
      <Empty icon={FolderOpen} title={id ? 'This folder is empty' : 'No files yet'}>
        {readOnly}
      </Empty>
    )
  }
  return (
    <Empty
      icon={FolderOpen}
      title={id ? 'This folder is empty' : 'No files yet'}
      action={action}
      command={`npx atrium files put report.pdf${id ? ` id:${id}` : ''}

curl ${location.origin}/api/v1/files \\
  -H "Authorization: Bearer $ATRIUM_API_KEY" \\${id ? `\n  -F parentId=${id} \\` : ''}
  -F file=@report.pdf`}
      commandLead="Or upload from the terminal:"
    >
      Drop files or folders here, or select them. Up to 100 MB per file.
    </Empty>
  )
}

export function NoMatches({ filter, onClear }: { filter: string; onClear: () => void }) {
  return (
    <Empty
      icon={SearchX}
      title={withNames`No files match ${filter}`}
      action={<Button onClick={onClear}>Clear search</Button>}
    >
      The search covers this folder and its subfolders.
    </Empty>
  )
}
