import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { app, root } from '../../frame/root-route.tsx'

export const inbox = createRoute({
  getParentRoute: () => app,
  path: 'inbox',
  staticData: { title: 'Inbox' },
  component: lazyRouteComponent(() => import('./inbox/inbox-routes.ts'), 'InboxPage'),
})

export const unsubscribe = createRoute({
  getParentRoute: () => root,
  path: 'unsubscribe',
  staticData: { title: 'Unsubscribe' },
  component: lazyRouteComponent(() => import('./inbox/inbox-routes.ts'), 'UnsubscribePage'),
})
