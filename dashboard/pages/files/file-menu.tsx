import {
  Copy,
  Download,
  Ellipsis,
  FolderInput,
  Forward,
  Info,
  Link as LinkIcon,
  type LucideIcon,
  Pencil,
  Tag,
  Trash2,
} from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { copyText } from '../../components/copy.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../components/menu.tsx'
import { toast } from '../../components/toast.tsx'
import { download, pageUrl } from './acts.ts'
import type { FileIntents } from './file-intents.ts'
import { type FileEntry, isFolder } from './files-queries.ts'

interface FileMenuProps {
  file: FileEntry
  intents: FileIntents
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

function Opened({ file, intents, inPanel, trigger }: FileMenuProps & { trigger: ReactNode }) {
  const folder = isFolder(file)
  return (
    <Menu defaultOpen trigger={trigger}>
      {!inPanel && <Item icon={Info} label="Details" onSelect={() => intents.showDetails(file)} />}
      {file.targetMissing !== true && (
        <Item
          icon={Download}
          label={folder ? 'Download as zip' : 'Download'}
          onSelect={() => download([file])}
        />
      )}
      <Item icon={LinkIcon} label="Copy address" onSelect={() => copied(pageUrl(file), 'address')} />
      <Item icon={Copy} label="Copy ID" onSelect={() => copied(file.id, 'ID')} />
      <MenuSeparator />
      {!file.protected && !inPanel && (
        <Item icon={Pencil} label="Rename" onSelect={() => intents.startRename(file)} />
      )}
      <Item icon={Tag} label="Tags…" onSelect={() => intents.ask({ about: 'tags', files: [file] })} />
      {!file.protected && (
        <Item
          icon={FolderInput}
          label="Move to…"
          onSelect={() => intents.ask({ about: 'move', files: [file] })}
        />
      )}
      {!folder && (
        <>
          <Item icon={Copy} label="Copy to…" onSelect={() => intents.ask({ about: 'copy', files: [file] })} />
          <Item
            icon={Forward}
            label="Create a link in…"
            onSelect={() => intents.ask({ about: 'link', files: [file] })}
          />
        </>
      )}
      {!file.protected && (
        <>
          <MenuSeparator />
          <Item icon={Trash2} label="Move to trash" onSelect={() => intents.remove([file])} />
        </>
      )}
    </Menu>
  )
}

function Item({ icon: Icon, label, onSelect }: { icon: LucideIcon; label: string; onSelect: () => void }) {
  return (
    // After the menu has given focus back, so that what opens next takes it.
    <MenuItem onSelect={() => setTimeout(onSelect)}>
      <Icon aria-hidden className="icon text-neutral-11" />
      {label}
    </MenuItem>
  )
}

async function copied(text: string, what: string) {
  toast((await copyText(text)) ? `Copied the ${what}` : `The browser refused to copy the ${what}`)
}
