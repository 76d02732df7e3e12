import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { app, root } from '../../frame/root-route.tsx'
import { settings } from '../../frame/settings-routes.ts'

export const inbox = createRoute({
  getParentRoute: () => app,
  path: 'inbox',
  staticData: { title: 'Inbox' },
  component: lazyRouteComponent(() => import('./inbox/notification-pages.ts'), 'InboxPage'),
})

export const unsubscribe = createRoute({
  getParentRoute: () => root,
  path: 'unsubscribe',
  staticData: { title: 'Unsubscribe' },
  component: lazyRouteComponent(() => import('./inbox/notification-pages.ts'), 'UnsubscribePage'),
})

export const notificationSettings = createRoute({
  getParentRoute: () => settings,
  path: 'notifications',
  staticData: { title: 'Notifications' },
  component: lazyRouteComponent(() => import('./inbox/notification-pages.ts'), 'NotificationsPage'),
})
