import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { app } from './root-route.tsx'

export const settings = createRoute({
  getParentRoute: () => app,
  path: 'settings',
  beforeLoad: ({ location }) => {
    if (/^\/settings\/?$/.test(location.pathname)) throw redirect({ to: '/settings/account' })
  },
  component: lazyRouteComponent(() => import('./settings-layout.tsx'), 'SettingsLayout'),
})

export const operate = createRoute({
  getParentRoute: () => app,
  path: 'operate',
  component: lazyRouteComponent(() => import('./settings-layout.tsx'), 'OperatorLayout'),
})

/** Replaces the start of the address, so ids, searches and fragments stay. */
const moved = <const Path extends string>(path: Path, to: string) =>
  [path, `${path}/$` as const].map((each) =>
    createRoute({
      getParentRoute: () => app,
      path: each,
      beforeLoad: ({ location }) => {
        throw redirect({ href: location.href.replace(`/${path}`, `/${to}`), replace: true })
      },
    }),
  )

const ORGANIZATION = 'settings/organization'

/** Addresses of former versions, for bookmarks, emails and notifications. */
export const movedPages = [
  ...moved('settings/organization/connectors', 'integrations/custom'),
  ...moved('settings/connectors', 'integrations/custom'),
  ...['members', 'workspaces', 'models', 'agent-policy', 'audit'].flatMap((page) =>
    moved(`settings/${page}`, `${ORGANIZATION}/${page}`),
  ),
  ...moved('settings/usage', `${ORGANIZATION}/quotas`),
  ...moved('usage', `${ORGANIZATION}/usage`),
  ...moved('billing/payments', `${ORGANIZATION}/payments`),
  ...moved('billing', `${ORGANIZATION}/payments`),
  ...moved('connections', 'integrations'),
  ...moved('telephony', 'phone'),
]
