import { Link } from '@tanstack/react-router'
import { TAB, TabRow } from '../../components/layout/tabs.tsx'
import { Name } from '../../components/name.tsx'

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

export const WebhookLink = ({ id, name }: { id: string; name: string }) => (
  <Link
    to="/webhooks/$id"
    params={{ id }}
    data-row-link={id}
    title={name}
    className="row-link block truncate font-medium outline-none"
  >
    <Name>{name}</Name>
  </Link>
)
