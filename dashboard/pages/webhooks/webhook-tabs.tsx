import { Link } from '@tanstack/react-router'
import { TAB, TabRow } from '../../components/tabs.tsx'

/** Webhooks themselves, and everything that passes through them. */
export function WebhookTabs() {
  return (
    <TabRow label="Webhooks and events">
      <Link to="/webhooks" activeOptions={{ exact: true }} className={TAB}>
        Webhooks
      </Link>
      <Link to="/webhooks/events" className={TAB}>
        Event log
      </Link>
    </TabRow>
  )
}
