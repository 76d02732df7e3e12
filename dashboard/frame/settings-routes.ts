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

const redirectFrom = <const Path extends string>(path: Path, to: string) =>
  createRoute({
    getParentRoute: () => settings,
    path,
    beforeLoad: ({ location }) => {
      const old = `/settings/${path.replace('/$', '')}`
      throw redirect({ href: location.href.replace(old, `/settings/organization/${to}`), replace: true })
    },
  })

export const movedSettings = [
  redirectFrom('members', 'members'),
  redirectFrom('members/$', 'members'),
  redirectFrom('workspaces', 'workspaces'),
  redirectFrom('workspaces/$', 'workspaces'),
  redirectFrom('models', 'models'),
  redirectFrom('models/$', 'models'),
  redirectFrom('connectors', 'connectors'),
  redirectFrom('connectors/$', 'connectors'),
  redirectFrom('agent-policy', 'agent-policy'),
  redirectFrom('usage', 'quotas'),
  redirectFrom('audit', 'audit'),
] as const
