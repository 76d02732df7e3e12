import { Outlet, useMatches } from '@tanstack/react-router'
import { useEffect } from 'react'

/** Sets the document title from the innermost route. */
export function Root() {
  const title = useMatches({
    select: (matches) => matches.findLast((match) => match.staticData.title)?.staticData.title,
  })
  useEffect(() => {
    document.title = title ? `${title} · Atrium` : 'Atrium'
  }, [title])
  return <Outlet />
}
