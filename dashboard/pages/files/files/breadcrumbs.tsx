import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronRight, Ellipsis } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import { t } from '../../../../contract/text.ts'
import { Name } from '../../../components/name.tsx'
import { useDropTarget } from './drag.ts'
import { nameLabel } from './file-labels.ts'
import { type FileEntry, type FolderId, folderQuery, pathTo } from './files-queries.ts'

interface Breadcrumb {
  id: FolderId
  name: string
}

/** Longer paths collapse to the first and last folder. The tree shows them all. */
const SHOWN_MAX = 3
export const ROOT: Breadcrumb = { id: null, name: t`Files` }

/** Ancestors only: the page title is the folder itself. */
export function Breadcrumbs({ ancestors }: { ancestors: { id: string; name: string }[] }) {
  const path = [ROOT, ...ancestors]
  const hidden = path.length > SHOWN_MAX ? path.slice(1, -1) : []
  const shown = path.filter((folder) => !hidden.includes(folder))
  return (
    <nav aria-label="Breadcrumb" className="flex min-w-0 shrink-999 items-center gap-4 overflow-hidden">
      {shown.map((folder, index) => (
        <Fragment key={folder.id}>
          {index > 0 && hidden.length > 0 && (
            <span
              title={hidden.map(({ name }) => name).join(' / ')}
              className="flex items-center gap-4 max-sm:hidden"
            >
              <Ellipsis aria-label="More folders" role="img" className="icon text-neutral-11" />
              <Arrow />
            </span>
          )}
          <FolderLink
            id={folder.id}
            name={folder.name}
            className={`min-w-0 truncate rounded-control px-4 text-neutral-11 transition-colors hover:bg-hover hover:text-neutral-12 ${index < shown.length - 1 ? 'max-sm:hidden' : 'max-w-filter'}`}
          >
            <Name>{nameLabel(folder.name)}</Name>
          </FolderLink>
          <Arrow onPhone={index === shown.length - 1} />
        </Fragment>
      ))}
    </nav>
  )
}

const Arrow = ({ onPhone = false }: { onPhone?: boolean }) => (
  <ChevronRight aria-hidden className={`icon text-neutral-10 ${onPhone ? '' : 'max-sm:hidden'}`} />
)

interface FolderLinkProps {
  id: FolderId
  name: string
  className?: string
  children: ReactNode
}

/** Also a drop target. */
export function FolderLink({ id, name, className = '', children }: FolderLinkProps) {
  const { over, target } = useDropTarget({ folderId: id, name })
  const props = {
    ...target,
    draggable: false,
    className: `${className} ${over ? 'bg-selection-wash text-selection-text outline-2 outline-selection' : ''}`,
  }
  return id ? (
    <Link to="/files/$id" params={{ id }} {...props}>
      {children}
    </Link>
  ) : (
    <Link to="/files" activeOptions={{ exact: true }} {...props}>
      {children}
    </Link>
  )
}

export function ResultPath({ file: { parentId } }: { file: FileEntry }) {
  const folder = useQuery({ ...folderQuery(parentId ?? ''), enabled: parentId !== null })
  const path = parentId === null ? [] : folder.data ? pathTo(folder.data) : undefined
  const text = [ROOT, ...(path ?? [])].map(({ name }) => nameLabel(name)).join(' / ')
  return (
    <FolderLink
      id={parentId}
      name={path?.at(-1)?.name ?? ROOT.name}
      className="relative block w-fit max-w-full truncate rounded-control text-12 text-neutral-11 hover:text-neutral-12 hover:underline"
    >
      {parentId === null || path ? text : '…'}
    </FolderLink>
  )
}
