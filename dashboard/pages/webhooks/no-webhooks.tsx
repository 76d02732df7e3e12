import { Link } from '@tanstack/react-router'
import { Webhook } from 'lucide-react'
import { buttonClass } from '../../components/button.tsx'
import { Empty } from '../../components/empty.tsx'

export function NewWebhookLink() {
  return (
    <Link to="/webhooks/new" className={buttonClass('primary')}>
      New webhook
    </Link>
  )
}

export function NoWebhooks() {
  return (
    <Empty
      icon={Webhook}
      title="Send Atrium events to your servers and receive events from other services"
      action={<NewWebhookLink />}
      command="npx atrium webhooks listen orders --forward http://localhost:4000/hook"
      commandLead="Forward events to a local server while you develop:"
    >
      Every delivery is signed, retried on failure, and logged with its request and response.
    </Empty>
  )
}
