import { Link } from '@tanstack/react-router'
import { Name } from '../../components/name.tsx'

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
