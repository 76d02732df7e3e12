import {
  Copy,
  Download,
  Ellipsis,
  Expand,
  FolderInput,
  Forward,
  Info,
  Link as LinkIcon,
  Pencil,
  Tag,
  Trash2,
} from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { t } from '../../../../../contract/text.ts'
import { textWithNames } from '../../../../../contract/text-with-names.ts'
import { Button } from '../../../../components/button.tsx'
import { copyWithToast } from '../../../../components/copy.tsx'
import { Menu, MenuAction, MenuSeparator } from '../../../../components/menu.tsx'
import { download, pageUrl } from '../file-actions.ts'
import { nameLabel } from '../file-labels.ts'
import { type FileEntry, isFolder } from '../files-queries.ts'
import { useCanCopy, useReadOnly } from '../read-only.ts'
import type { FileCommands } from './file-commands.ts'

interface FileMenuProps {
  file: FileEntry
  commands: FileCommands
  /** Hides actions the panel already offers. */
  inPanel?: boolean
}

/** Mounted on first click, since a long list has hundreds. */
export function FileMenu(props: FileMenuProps) {
  const [isOpened, setOpened] = useState(false)
  const { file, inPanel } = props
  const button = (
    <Button
      look="quiet"
      size={inPanel ? 'icon' : 'small-icon'}
      aria-haspopup="menu"
      aria-label={textWithNames`Actions for ${nameLabel(file.name)}`}
      onClick={isOpened ? undefined : () => setOpened(true)}
    >
      <Ellipsis aria-hidden className="icon" />
    </Button>
  )
  return isOpened ? <OpenedMenu {...props} trigger={button} /> : button
}

function OpenedMenu({ file, commands, inPanel, trigger }: FileMenuProps & { trigger: ReactNode }) {
  const isFolderEntry = isFolder(file)
  const readOnly = useReadOnly()
  const canCopy = useCanCopy() && !isFolderEntry
  const isFixed = file.protected || readOnly
  return (
    <Menu defaultOpen trigger={trigger}>
      {!isFolderEntry && file.targetMissing !== true && (
        <MenuAction icon={Expand} label="View" onSelect={() => commands.view(file)} />
      )}
      {!inPanel && <MenuAction icon={Info} label="Details" onSelect={() => commands.showDetails(file)} />}
      {file.targetMissing !== true && (
        <MenuAction
          icon={Download}
          label={isFolderEntry ? t`Download as zip` : t`Download`}
          onSelect={() => download([file])}
        />
      )}
      <MenuAction
        icon={LinkIcon}
        label="Copy link"
        onSelect={() => copyWithToast(pageUrl(file), t`the URL`)}
      />
      <MenuAction icon={Copy} label="Copy ID" onSelect={() => copyWithToast(file.id, t`the ID`)} />
      {(!readOnly || canCopy) && <MenuSeparator />}
      {!isFixed && !inPanel && (
        <MenuAction icon={Pencil} label="Rename" onSelect={() => commands.startRename(file)} />
      )}
      {!readOnly && (
        <MenuAction
          icon={Tag}
          label="Tags…"
          onSelect={() => commands.openDialog({ action: 'tags', files: [file] })}
        />
      )}
      {!isFixed && (
        <MenuAction
          icon={FolderInput}
          label="Move to…"
          onSelect={() => commands.openDialog({ action: 'move', files: [file] })}
        />
      )}
      {canCopy && (
        <>
          <MenuAction
            icon={Copy}
            label="Copy to…"
            onSelect={() => commands.openDialog({ action: 'copy', files: [file] })}
          />
          <MenuAction
            icon={Forward}
            label="Create shortcut in…"
            onSelect={() => commands.openDialog({ action: 'link', files: [file] })}
          />
        </>
      )}
      {!isFixed && (
        <>
          <MenuSeparator />
          <MenuAction icon={Trash2} label="Move to trash" onSelect={() => commands.remove([file])} />
        </>
      )}
    </Menu>
  )
}
