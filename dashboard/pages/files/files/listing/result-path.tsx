import { useQuery } from '@tanstack/react-query'
import { ROOT } from '../breadcrumbs.tsx'
import { nameLabel } from '../file-labels.ts'
import { type FileEntry, folderQuery, pathTo } from '../files-queries.ts'
import { FolderLink } from '../folder-link.tsx'

/** The path of a search result, as a link to its folder. */
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
