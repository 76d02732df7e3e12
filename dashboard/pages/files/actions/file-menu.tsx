import {
  Copy,
  Download,
  Ellipsis,
  FolderInput,
  Forward,
  Info,
  Link as LinkIcon,
  Pencil,
  Tag,
  Trash2,
} from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { copyWithToast } from '../../../components/copy-with-toast.ts'
import { Menu, MenuAction, MenuSeparator } from '../../../components/menu.tsx'
import { type FileEntry, isFolder } from '../files-queries.ts'
import { useReadOnly } from '../read-only.ts'
import { download, pageUrl } from './file-actions.ts'
import type { FileCommands } from './file-commands.ts'

interface FileMenuProps {
  file: FileEntry
  commands: FileCommands
  /** In the panel there is nothing to look at more closely. */
  inPanel?: boolean
}

/** Everything that can be done to one file. Until it is asked for it is a button: a long list has hundreds of them. */
export function FileMenu(props: FileMenuProps) {
  const [asked, setAsked] = useState(false)
  const { file, inPanel } = props
  const button = (
    <Button
      look="quiet"
      size={inPanel ? 'icon' : 'small-icon'}
      aria-haspopup="menu"
      aria-label={`Actions for ${file.name}`}
      onClick={asked ? undefined : () => setAsked(true)}
    >
      <Ellipsis aria-hidden className="icon" />
    </Button>
  )
  return asked ? <Opened {...props} trigger={button} /> : button
}

function Opened({ file, commands, inPanel, trigger }: FileMenuProps & { trigger: ReactNode }) {
  const folder = isFolder(file)
  const readOnly = useReadOnly()
  const fixed = file.protected || readOnly
  return (
    <Menu defaultOpen trigger={trigger}>
      {!inPanel && <MenuAction icon={Info} label="Details" onSelect={() => commands.showDetails(file)} />}
      {file.targetMissing !== true && (
        <MenuAction
          icon={Download}
          label={folder ? 'Download as zip' : 'Download'}
          onSelect={() => download([file])}
        />
      )}
      <MenuAction
        icon={LinkIcon}
        label="Copy address"
        onSelect={() => copyWithToast(pageUrl(file), 'the address')}
      />
      <MenuAction icon={Copy} label="Copy ID" onSelect={() => copyWithToast(file.id, 'the ID')} />
      {!(readOnly && folder) && <MenuSeparator />}
      {!fixed && !inPanel && (
        <MenuAction icon={Pencil} label="Rename" onSelect={() => commands.startRename(file)} />
      )}
      {!readOnly && (
        <MenuAction
          icon={Tag}
          label="Tags…"
          onSelect={() => commands.ask({ about: 'tags', files: [file] })}
        />
      )}
      {!fixed && (
        <MenuAction
          icon={FolderInput}
          label="Move to…"
          onSelect={() => commands.ask({ about: 'move', files: [file] })}
        />
      )}
      {!folder && (
        <>
          <MenuAction
            icon={Copy}
            label="Copy to…"
            onSelect={() => commands.ask({ about: 'copy', files: [file] })}
          />
          <MenuAction
            icon={Forward}
            label="Create a link in…"
            onSelect={() => commands.ask({ about: 'link', files: [file] })}
          />
        </>
      )}
      {!fixed && (
        <>
          <MenuSeparator />
          <MenuAction icon={Trash2} label="Move to trash" onSelect={() => commands.remove([file])} />
        </>
      )}
    </Menu>
  )
}
