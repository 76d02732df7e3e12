import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { app, textParams } from './root.ts'

/** What the log shows, and which event of it is looked at closely. */
const logSearch = (search: Record<string, unknown>) =>
  textParams(search, 'q', 'type', 'state', 'direction', 'webhook', 'event')

export type LogSearch = ReturnType<typeof logSearch>

const webhooks = createRoute({
  getParentRoute: () => app,
  path: 'webhooks',
  staticData: { title: 'Webhooks' },
})

const list = createRoute({
  getParentRoute: () => webhooks,
  id: 'list',
  component: lazyRouteComponent(() => import('../pages/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
})

const all = createRoute({ getParentRoute: () => list, path: '/' })

const newWebhook = createRoute({
  getParentRoute: () => list,
  path: 'new',
  staticData: { title: 'New webhook' },
  // Filled in by whoever leads here, such as `atrium webhooks create`.
  validateSearch: (search: Record<string, unknown>) =>
    textParams(search, 'name', 'url', 'events', 'source', 'description'),
  component: lazyRouteComponent(() => import('../pages/webhooks/new-webhook-dialog.tsx'), 'NewWebhookDialog'),
})

const events = createRoute({
  getParentRoute: () => webhooks,
  path: 'events',
  staticData: { title: 'Event log' },
  validateSearch: logSearch,
  component: lazyRouteComponent(() => import('../pages/webhooks/event-log-page.tsx'), 'EventLogPage'),
})

const event = createRoute({ getParentRoute: () => events, path: '$eventId', staticData: { title: 'Event' } })

const webhook = createRoute({
  getParentRoute: () => webhooks,
  path: '$id',
  staticData: { title: 'Webhook' },
  // `test` leads to the test right away, of that type if it names one.
  validateSearch: (search: Record<string, unknown>) => ({
    ...logSearch(search),
    ...textParams(search, 'test'),
  }),
  component: lazyRouteComponent(() => import('../pages/webhooks/webhook-page.tsx'), 'WebhookPage'),
})

const overview = createRoute({ getParentRoute: () => webhook, path: '/' })
/** Deliveries, events, verify, settings: the page knows them. */
const tab = createRoute({ getParentRoute: () => webhook, path: '$tab' })

export const webhooksRoutes = webhooks.addChildren([
  list.addChildren([all, newWebhook]),
  events.addChildren([event]),
  webhook.addChildren([overview, tab]),
])
