import { FolderOpen, SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { Empty } from '../../components/empty.tsx'
import type { FolderId } from './files-queries.ts'

interface EmptyFolderProps {
  id: FolderId
  action: ReactNode
  readOnly: boolean
}

export function EmptyFolder({ id, action, readOnly }: EmptyFolderProps) {
  if (readOnly) {
    return (
      <Empty icon={FolderOpen} title="This folder is empty">
        It is in a project that you can look at, but not change.
      </Empty>
    )
  }
  return (
    <Empty
      icon={FolderOpen}
      title={id ? 'This folder is empty' : 'Files that people and agents work with will be here'}
      action={action}
      command={`atrium files put report.pdf${id ? ` id:${id}` : ''}

curl ${location.origin}/api/v1/files \\
  -H "Authorization: Bearer $ATRIUM_API_KEY" \\${id ? `\n  -F parentId=${id} \\` : ''}
  -F file=@report.pdf`}
      commandLead="Or from a terminal, with the command line or with an API key:"
    >
      Drop files or whole folders anywhere on this page, or choose them. Each can be up to 100 MB.
    </Empty>
  )
}

export function NoMatches({ words, onClear }: { words: string; onClear: () => void }) {
  return (
    <Empty
      icon={SearchX}
      title={`Nothing below this folder is ${words}`}
      action={<Button onClick={onClear}>Show the folder</Button>}
    >
      Names are searched letter by letter, upper and lower case alike, in this folder and in all folders below
      it.
    </Empty>
  )
}
