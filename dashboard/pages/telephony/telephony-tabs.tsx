import { Link } from '@tanstack/react-router'
import { TAB, TabRow } from '../../components/layout/tabs.tsx'

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
