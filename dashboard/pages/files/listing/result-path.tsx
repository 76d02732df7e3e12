import { useQuery } from '@tanstack/react-query'
import { TOP } from '../crumbs.tsx'
import { type FileEntry, placeQuery, wayTo } from '../files-queries.ts'
import { FolderLink } from '../folder-link.tsx'

/** The folder that something is in, as a way that can be followed. */
export function WhereFound({ file: { parentId } }: { file: FileEntry }) {
  const folder = useQuery({ ...placeQuery(parentId ?? ''), enabled: parentId !== null })
  const way = parentId === null ? [] : folder.data ? wayTo(folder.data) : undefined
  const words = [TOP, ...(way ?? [])].map(({ name }) => name).join(' / ')
  return (
    <FolderLink
      id={parentId}
      name={way?.at(-1)?.name ?? TOP.name}
      className="relative block w-fit max-w-full truncate rounded-control text-12 text-neutral-11 hover:text-neutral-12 hover:underline"
    >
      {parentId === null || way ? words : '…'}
    </FolderLink>
  )
}
