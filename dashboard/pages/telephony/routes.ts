import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { t } from '../../../contract/text.ts'
import { app } from '../../frame/root-route.tsx'
import { textParams } from '../../state/text-params.ts'

const telephony = createRoute({
  getParentRoute: () => app,
  path: 'phone',
  staticData: { title: t`Phone` },
  // Shared by all pages: the open record and the filters.
  validateSearch: (search: Record<string, unknown>) =>
    textParams(search, 'number', 'peer', 'rule', 'new', 'show', 'direction', 'agent'),
  // Loads the page for each path: the first load contains one chunk name instead of seven.
  component: lazyRouteComponent(() => import('./telephony-pages.tsx'), 'TelephonyPages'),
})

const page = <const Path extends string>(path: Path, title?: string) =>
  createRoute({ getParentRoute: () => telephony, path, staticData: { title } })

export const telephonyRoutes = telephony.addChildren([
  page('/'),
  page('calls', t`Calls`),
  page('calls/$callId', t`Call`),
  page('messages', t`Messages`),
  page('do-not-contact', t`Do not contact`),
  page('routing', t`Routing`),
  page('voice-agents', t`Voice agents`),
])
