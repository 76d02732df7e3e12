import { ChevronRight, Ellipsis } from 'lucide-react'
import { Fragment } from 'react'
import type { FolderId } from './files-queries.ts'
import { FolderLink } from './folder-link.tsx'

interface Breadcrumb {
  id: FolderId
  name: string
}

/** Of a long way the first and the last steps are shown; the tree has them all. */
const SHOWN_MAX = 3
export const ROOT: Breadcrumb = { id: null, name: 'Files' }

/** The folders above this one; the page's title goes on with the folder itself. */
export function Breadcrumbs({ above }: { above: { id: string; name: string }[] }) {
  const way = [ROOT, ...above]
  const hidden = way.length > SHOWN_MAX ? way.slice(1, -1) : []
  const shown = way.filter((crumb) => !hidden.includes(crumb))
  return (
    <nav
      aria-label="Where this folder is"
      className="flex min-w-0 shrink-999 items-center gap-4 overflow-hidden"
    >
      {shown.map((crumb, index) => (
        <Fragment key={crumb.id}>
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
            id={crumb.id}
            name={crumb.name}
            className={`min-w-0 truncate rounded-control px-4 text-neutral-11 transition-colors hover:bg-neutral-4 hover:text-neutral-12 ${index < shown.length - 1 ? 'max-sm:hidden' : 'max-w-filter'}`}
          >
            {crumb.name}
          </FolderLink>
          <Arrow phone={index === shown.length - 1} />
        </Fragment>
      ))}
    </nav>
  )
}

const Arrow = ({ phone = false }: { phone?: boolean }) => (
  <ChevronRight aria-hidden className={`icon text-neutral-10 ${phone ? '' : 'max-sm:hidden'}`} />
)
