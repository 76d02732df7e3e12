import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useDropTarget } from './actions/drag.ts'
import type { FolderId } from './files-queries.ts'

interface FolderLinkProps {
  id: FolderId
  name: string
  className?: string
  children: ReactNode
}

/** A link to a folder that is also a drop target. */
export function FolderLink({ id, name, className = '', children }: FolderLinkProps) {
  const { over, target } = useDropTarget({ folderId: id, name })
  const props = {
    ...target,
    draggable: false,
    className: `${className} ${over ? 'bg-accent-wash text-accent-text outline-2 outline-accent-text' : ''}`,
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
