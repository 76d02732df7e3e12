import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { t } from '../../../../contract/text.ts'
import { root } from '../../../frame/root-route.tsx'

const join = createRoute({
  getParentRoute: () => root,
  path: 'join',
  staticData: { title: t`Join a project` },
  component: lazyRouteComponent(() => import('./join-page.tsx'), 'JoinPage'),
})

const confirmJoin = createRoute({
  getParentRoute: () => root,
  path: 'join/confirm',
  staticData: { title: t`Join a project` },
  component: lazyRouteComponent(() => import('./confirm-join-page.tsx'), 'ConfirmJoinPage'),
})

export const joinRoutes = [join, confirmJoin] as const
