import { Outlet, useMatches } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useShownTitle } from '../state/page-title.ts'

/** Sets the document title: the name of the shown record, else the title of the innermost route. */
export function Root() {
  const title = useMatches({
    select: (matches) => matches.findLast((match) => match.staticData.title)?.staticData.title,
  })
  const shown = useShownTitle() ?? title
  useEffect(() => {
    document.title = shown ? `${shown} · Atrium` : 'Atrium'
  }, [shown])
  return <Outlet />
}
