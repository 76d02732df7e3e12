import { Link, useMatches } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { TAB, TabRow } from '../../components/layout/tabs.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'

const PAGES = {
  '/app/telephony/': lazy(() => import('./overview/overview-page.tsx')),
  '/app/telephony/calls': lazy(() => import('./calls/calls-page.tsx')),
  '/app/telephony/calls/$callId': lazy(() => import('./call/call-page.tsx')),
  '/app/telephony/messages': lazy(() => import('./messages/messages-page.tsx')),
  '/app/telephony/do-not-contact': lazy(() => import('./opt-outs/opt-outs-page.tsx')),
  '/app/telephony/routing': lazy(() => import('./routing/routing-page.tsx')),
  '/app/telephony/voice-agents': lazy(() => import('./voice-agents/voice-agents-page.tsx')),
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
  <TabRow label="Telephony">
    <Link to="/telephony" search={{}} activeOptions={{ exact: true, includeSearch: false }} className={TAB}>
      Overview
    </Link>
    <Link to="/telephony/calls" search={{}} activeOptions={{ includeSearch: false }} className={TAB}>
      Calls
    </Link>
    <Link to="/telephony/messages" search={{}} activeOptions={{ includeSearch: false }} className={TAB}>
      Messages
    </Link>
    <Link to="/telephony/routing" search={{}} activeOptions={{ includeSearch: false }} className={TAB}>
      Routing
    </Link>
    <Link to="/telephony/voice-agents" search={{}} activeOptions={{ includeSearch: false }} className={TAB}>
      Voice agents
    </Link>
    <Link to="/telephony/do-not-contact" search={{}} activeOptions={{ includeSearch: false }} className={TAB}>
      Do not contact
    </Link>
  </TabRow>
)
