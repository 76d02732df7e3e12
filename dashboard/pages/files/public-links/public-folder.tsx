import { useInfiniteQuery } from '@tanstack/react-query'
import { t } from '../../../../contract/text.ts'
import { guestFileApi, type PublicEntry } from '../../../api/files.ts'
import { formatSize } from '../../../components/amounts.ts'
import { Failure } from '../../../components/failure.tsx'
import { Name } from '../../../components/name.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { ScrollEnd } from '../../../components/table/scroll-end.tsx'
import { Time } from '../../../components/time.tsx'
import { FileFace } from '../files/file-kind.tsx'
import { nameLabel } from '../files/file-labels.ts'

interface PublicFolderProps {
  guestToken: string
  folder: PublicEntry
  onOpen: (entry: PublicEntry) => void
}

export function PublicFolder({ guestToken, folder, onOpen }: PublicFolderProps) {
  const list = useInfiniteQuery({
    queryKey: ['public-entries', folder.id],
    queryFn: ({ pageParam: cursor, signal }) =>
      guestFileApi.publicLinks.entries(
        { token: guestToken, folderId: folder.id, limit: 100, cursor },
        { signal },
      ),
    meta: { isPublic: true },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })
  const entries = list.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <div data-scroll className="mx-auto min-h-0 w-full max-w-extra-wide flex-1 overflow-y-auto bg-page">
      {list.isPending && <SkeletonRows />}
      {list.error && !list.data && <Failure error={list.error} onRetry={() => list.refetch()} />}
      {list.data && entries.length === 0 && (
        <p className="p-24 text-13 text-neutral-11">This folder is empty.</p>
      )}
      <ul>
        {entries.map((entry) => (
          <li key={entry.id} className="border-neutral-6 border-b">
            <button
              type="button"
              onClick={() => onOpen(entry)}
              className="flex min-h-row w-full items-center gap-8 px-16 py-8 text-left -outline-offset-2 hover:bg-hover md:px-24"
            >
              <FileFace file={entry} />
              <span className="min-w-0 flex-1 truncate">
                <Name>{nameLabel(entry.name)}</Name>
              </span>
              <span className="shrink-0 text-13 text-neutral-11 tabular-nums">
                {entry.source === 'folder' ? t`Folder` : formatSize(entry.size)}
              </span>
              <span className="w-status shrink-0 text-right text-13 text-neutral-11 max-sm:hidden">
                <Time at={entry.updatedAt} />
              </span>
            </button>
          </li>
        ))}
      </ul>
      <ScrollEnd list={list} loaded={entries.length} />
    </div>
  )
}
