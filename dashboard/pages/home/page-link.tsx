import { useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'

interface PageLinkProps {
  path: string
  /** Identifies the row for the keys of lists. */
  id: string
  children: ReactNode
}

/** A link to a page whose path the server names. It fills its row. */
export function PageLink({ path, id, children }: PageLinkProps) {
  const { history } = useRouter()
  return (
    <a
      href={path}
      data-row-link={id}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        history.push(path)
      }}
      className="row-link block truncate font-medium outline-none"
    >
      {children}
    </a>
  )
}
