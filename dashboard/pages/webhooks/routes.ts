import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { t } from '../../../contract/text.ts'
import { app } from '../../frame/root-route.tsx'
import { textParams } from '../../state/text-params.ts'
import { parseLogSearch } from './log/log-search.ts'

const webhooks = createRoute({
  getParentRoute: () => app,
  path: 'webhooks',
  staticData: { title: t`Webhooks` },
})

const list = createRoute({
  getParentRoute: () => webhooks,
  id: 'list',
  validateSearch: (search: Record<string, unknown>) => textParams(search, 'q'),
  component: lazyRouteComponent(() => import('./webhooks-page.tsx'), 'WebhooksPage'),
})

const all = createRoute({ getParentRoute: () => list, path: '/' })

const newWebhook = createRoute({
  getParentRoute: () => list,
  path: 'new',
  staticData: { title: t`New webhook` },
  // Prefills the form. `atrium webhooks create` links here.
  validateSearch: (search: Record<string, unknown>) =>
    textParams(search, 'name', 'url', 'events', 'source', 'scheme', 'dedupWindowSeconds', 'description'),
  component: lazyRouteComponent(() => import('./new-webhook-dialog.tsx'), 'NewWebhookDialog'),
})

const events = createRoute({
  getParentRoute: () => webhooks,
  path: 'events',
  staticData: { title: t`Events` },
  validateSearch: parseLogSearch,
  component: lazyRouteComponent(() => import('./event-log-page.tsx'), 'EventLogPage'),
})

const event = createRoute({ getParentRoute: () => events, path: '$eventId', staticData: { title: t`Event` } })

const webhook = createRoute({
  getParentRoute: () => webhooks,
  path: '$id',
  staticData: { title: t`Webhook` },
  // `test` opens the test dialog, with that event type if it names one.
  validateSearch: (search: Record<string, unknown>) => ({
    ...parseLogSearch(search),
    ...textParams(search, 'test'),
  }),
  component: lazyRouteComponent(() => import('./webhook-page.tsx'), 'WebhookPage'),
})

const overview = createRoute({ getParentRoute: () => webhook, path: '/' })
/** Deliveries, events, verify or settings. */
const tab = createRoute({ getParentRoute: () => webhook, path: '$tab' })

export const webhooksRoutes = webhooks.addChildren([
  list.addChildren([all, newWebhook]),
  events.addChildren([event]),
  webhook.addChildren([overview, tab]),
])
