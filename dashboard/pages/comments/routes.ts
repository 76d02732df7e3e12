import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { t } from '../../../contract/text.ts'
import { app, root } from '../../frame/root-route.tsx'
import { settings } from '../../frame/settings-routes.ts'
import { textParams } from '../../state/text-params.ts'

export const inbox = createRoute({
  getParentRoute: () => app,
  path: 'inbox',
  staticData: { title: t`Inbox` },
  validateSearch: (search: Record<string, unknown>) => textParams(search, 'show', 'kind'),
  component: lazyRouteComponent(() => import('./inbox/notification-pages.ts'), 'InboxPage'),
})

export const unsubscribe = createRoute({
  getParentRoute: () => root,
  path: 'unsubscribe',
  staticData: { title: t`Unsubscribe` },
  component: lazyRouteComponent(() => import('./inbox/notification-pages.ts'), 'UnsubscribePage'),
})

export const notificationSettings = createRoute({
  getParentRoute: () => settings,
  path: 'notifications',
  staticData: { title: t`Notifications` },
  component: lazyRouteComponent(() => import('./inbox/notification-pages.ts'), 'NotificationsPage'),
})
