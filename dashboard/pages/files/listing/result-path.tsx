import { useQuery } from '@tanstack/react-query'
import { ROOT } from '../breadcrumbs.tsx'
import { type FileEntry, folderQuery, pathTo } from '../files-queries.ts'
import { FolderLink } from '../folder-link.tsx'

/** The folder that something is in, as a way that can be followed. */
export function ResultPath({ file: { parentId } }: { file: FileEntry }) {
  const folder = useQuery({ ...folderQuery(parentId ?? ''), enabled: parentId !== null })
  const way = parentId === null ? [] : folder.data ? pathTo(folder.data) : undefined
  const words = [ROOT, ...(way ?? [])].map(({ name }) => name).join(' / ')
  return (
    <FolderLink
      id={parentId}
      name={way?.at(-1)?.name ?? ROOT.name}
      className="relative block w-fit max-w-full truncate rounded-control text-12 text-neutral-11 hover:text-neutral-12 hover:underline"
    >
      {parentId === null || way ? words : '…'}
    </FolderLink>
  )
}
