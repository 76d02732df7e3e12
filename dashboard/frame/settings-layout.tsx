import { Navigate, Outlet, useMatches } from '@tanstack/react-router'
import { OperatorsOnly } from './operators-only.tsx'
import { SettingsNavigation } from './settings-navigation.tsx'

/** The settings, with their navigation beside them, or above them on narrow screens. */
export function SettingsLayout() {
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col lg:flex-row">
      <SettingsNavigation />
      <Outlet />
    </div>
  )
}

/** The pages for operators. `/operate` itself redirects to the feedback queue. */
export function OperatorLayout() {
  const isIndex = useMatches({ select: (matches) => matches.at(-1)?.routeId === '/app/operate' })
  if (isIndex) return <Navigate to="/operate/feedback" replace />
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col lg:flex-row">
      <SettingsNavigation />
      <OperatorsOnly />
    </div>
  )
}
