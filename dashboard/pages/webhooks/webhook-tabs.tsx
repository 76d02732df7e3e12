import { Link } from '@tanstack/react-router'
import { TAB, TabRow } from '../../components/layout/tabs.tsx'

/** The tabs shared by the webhook list and the event log. */
export function WebhookTabs({ isLog = false }: { isLog?: boolean }) {
  return (
    <TabRow label="Webhooks">
      <Link to="/webhooks" activeOptions={{ exact: isLog }} className={TAB}>
        Webhooks
      </Link>
      <Link to="/webhooks/events" className={TAB}>
        Event log
      </Link>
    </TabRow>
  )
}
