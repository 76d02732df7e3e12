import { useInfiniteQuery } from '@tanstack/react-query'
import { ChevronRight, Folder, FolderKanban, FolderOpen, HardDrive } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { useCanEditFiles } from '../../../../api/workspaces.ts'
import { Name } from '../../../../components/name.tsx'
import { ROOT } from '../breadcrumbs.tsx'
import { useDropTarget } from '../drag.ts'
import { nameLabel } from '../file-labels.ts'
import { type FileEntry, type FolderId, foldersQuery } from '../files-queries.ts'
import { navigateTree } from './tree-keys.ts'

interface TreeProps {
  label: string
  /** Undefined for none, as in the trash. */
  selected: FolderId | undefined
  /** Initially expanded: the selected folder's ancestors. */
  expanded?: string[]
  onSelect: (id: FolderId, name: string, projectId: string | null) => void
  /** Can't be selected: a folder can't move into itself. */
  disabled?: ReadonlySet<string>
  autoFocus?: boolean
}

/** Loads one level at a time. Arrow keys follow the ARIA tree pattern. */
export function FolderTree(props: TreeProps) {
  return (
    <div
      role="tree"
      aria-label={props.label}
      onKeyDown={(event: KeyboardEvent<HTMLElement>) => navigateTree(event)}
    >
      <Node {...props} id={null} name={ROOT.name} projectId={null} level={1} />
    </div>
  )
}

interface NodeProps extends TreeProps {
  id: FolderId
  name: string
  projectId: string | null
  level: number
  isProtected?: boolean
}

function Node(props: NodeProps) {
  const { id, name, projectId, level, selected, expanded, onSelect, disabled, isProtected, autoFocus } = props
  const [toggled, setToggled] = useState<boolean>()
  const isDisabled = id !== null && disabled?.has(id)
  const open = !isDisabled && (toggled ?? (id === null || expanded?.includes(id) === true))
  const subfolders = useInfiniteQuery({ ...foldersQuery(id), enabled: open })
  const children = subfolders.data?.pages.flatMap((page) => page.items) ?? []
  const isLeaf = isDisabled || (subfolders.data !== undefined && children.length === 0)
  const canEditFiles = useCanEditFiles()
  const { over, target } = useDropTarget({ folderId: id, name, disabled: !canEditFiles })
  const Icon = id === null ? HardDrive : isProtected ? FolderKanban : open && !isLeaf ? FolderOpen : Folder
  const isSelected = selected === id
  return (
    <>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles the keys. */}
      <div
        {...target}
        role="treeitem"
        data-autofocus={(autoFocus && id === null) || undefined}
        aria-level={level}
        aria-expanded={isLeaf ? undefined : open}
        aria-selected={isSelected}
        aria-disabled={isDisabled || undefined}
        // The tree is one tab stop: the selected folder, or the root.
        tabIndex={isSelected || (selected === undefined && id === null) ? 0 : -1}
        style={{ paddingLeft: `${(level - 1) * 16}px` }}
        onClick={() => !isDisabled && onSelect(id, name, projectId)}
        className={`flex h-32 cursor-pointer select-none items-center gap-4 rounded-control pr-8 text-13 text-neutral-11 -outline-offset-2 transition-colors aria-disabled:cursor-default aria-disabled:opacity-50 ${over ? 'bg-selection-wash text-selection-text outline-2 outline-selection' : 'hover:bg-hover hover:text-neutral-12 aria-selected:bg-selected aria-selected:font-medium aria-selected:text-neutral-12'}`}
      >
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the arrow keys do the same. */}
        {/* biome-ignore lint/a11y/noStaticElementInteractions: an extra for the mouse. */}
        <span
          data-tree-toggle
          onClick={(event) => {
            event.stopPropagation()
            if (!isLeaf) setToggled(!open)
          }}
          className={`flex size-24 shrink-0 items-center justify-center rounded-control hover:bg-hover ${isLeaf ? 'invisible' : ''}`}
        >
          <ChevronRight aria-hidden className={`icon transition-transform ${open ? 'rotate-90' : ''}`} />
        </span>
        <Icon aria-hidden className="icon" />
        <span className="truncate" title={name}>
          <Name>{nameLabel(name)}</Name>
        </span>
      </div>
      {open && children.length > 0 && <Children {...props} folders={children} />}
      {open && subfolders.hasNextPage && (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles the keys.
        <div
          role="treeitem"
          aria-level={level + 1}
          aria-selected={false}
          tabIndex={-1}
          style={{ paddingLeft: `${level * 16 + 24}px` }}
          onClick={() => subfolders.fetchNextPage()}
          className="flex h-32 cursor-pointer items-center rounded-control text-12 text-neutral-11 -outline-offset-2 hover:bg-hover"
        >
          More folders
        </div>
      )}
    </>
  )
}

function Children({ folders, level, ...rest }: NodeProps & { folders: FileEntry[] }) {
  return folders.map((folder) => (
    <Node
      {...rest}
      key={folder.id}
      id={folder.id}
      name={folder.name}
      projectId={folder.projectId}
      isProtected={folder.protected}
      level={level + 1}
    />
  ))
}
