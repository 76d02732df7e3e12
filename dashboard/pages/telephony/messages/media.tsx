import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Paperclip } from 'lucide-react'
import { fileQuery } from '../../files/files/files-queries.ts'

/** Types that the server displays inline. */
const PICTURE = /^image\/(png|jpeg|gif|webp)$/

/** A file of a message: a picture is shown, others are linked. */
export function Media({ id }: { id: string }) {
  const { data } = useQuery(fileQuery(id))
  const name = data?.name ?? 'File'
  return (
    <Link
      to="/files"
      search={{ file: id }}
      title={name}
      className="flex max-w-filter items-center gap-4 rounded-panel border border-neutral-6 p-4 text-12 text-neutral-11 hover:text-neutral-12"
    >
      {data && PICTURE.test(data.mimeType) ? (
        <img
          src={`/api/v1/files/${id}?download=true&inline=true`}
          alt={name}
          className="max-h-half max-w-full rounded-control"
        />
      ) : (
        <>
          <Paperclip aria-hidden className="icon" />
          <span className="truncate">{name}</span>
        </>
      )}
    </Link>
  )
}
