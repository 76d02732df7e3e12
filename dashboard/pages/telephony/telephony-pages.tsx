import { Link, useMatches } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { TAB, TabRow } from '../../components/layout/tabs.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'

const PAGES = {
  '/app/phone/': lazy(() => import('./overview/overview-page.tsx')),
  '/app/phone/calls': lazy(() => import('./calls/calls-page.tsx')),
  '/app/phone/calls/$callId': lazy(() => import('./call/call-page.tsx')),
  '/app/phone/messages': lazy(() => import('./messages/messages-page.tsx')),
  '/app/phone/do-not-contact': lazy(() => import('./opt-outs/opt-outs-page.tsx')),
  '/app/phone/routing': lazy(() => import('./routing/routing-page.tsx')),
  '/app/phone/voice-agents': lazy(() => import('./voice-agents/voice-agents-page.tsx')),
}

/** Each page has its own chunk. */
export function TelephonyPages() {
  const routeId = useMatches({ select: (matches) => matches.at(-1)?.routeId })
  const Page = PAGES[routeId as keyof typeof PAGES]
  return (
    <Suspense fallback={<SkeletonRows />}>
      <Page />
    </Suspense>
  )
}

export const TelephonyTabs = () => (
  <TabRow label="Phone">
    <Link to="/phone" search={{}} activeOptions={{ exact: true, includeSearch: false }} className={TAB}>
      Overview
    </Link>
    <Link to="/phone/calls" search={{}} activeOptions={{ includeSearch: false }} className={TAB}>
      Calls
    </Link>
    <Link to="/phone/messages" search={{}} activeOptions={{ includeSearch: false }} className={TAB}>
      Messages
    </Link>
    <Link to="/phone/routing" search={{}} activeOptions={{ includeSearch: false }} className={TAB}>
      Routing
    </Link>
    <Link to="/phone/voice-agents" search={{}} activeOptions={{ includeSearch: false }} className={TAB}>
      Voice agents
    </Link>
    <Link to="/phone/do-not-contact" search={{}} activeOptions={{ includeSearch: false }} className={TAB}>
      Do not contact
    </Link>
  </TabRow>
)
