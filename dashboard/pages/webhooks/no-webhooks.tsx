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
      title="Webhooks tell your servers what happens here, and take in what happens elsewhere"
      action={<NewWebhookLink />}
      command="atrium webhooks listen orders --forward http://localhost:4000/hook"
      commandLead="Once there is one, a program on your own machine can follow it:"
    >
      Everything that is sent is signed, retried until it arrives, and written down with every request and
      response.
    </Empty>
  )
}
