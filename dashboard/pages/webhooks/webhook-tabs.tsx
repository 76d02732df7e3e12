import { Link } from '@tanstack/react-router'
import { TAB, TabRow } from '../../components/layout/tabs.tsx'

/** Webhooks themselves, and everything that passes through them. */
export function WebhookTabs({ isLog = false }: { isLog?: boolean }) {
  return (
    <TabRow label="Webhooks and events">
      <Link to="/webhooks" activeOptions={{ exact: isLog }} className={TAB}>
        Webhooks
      </Link>
      <Link to="/webhooks/events" className={TAB}>
        Event log
      </Link>
    </TabRow>
  )
}
