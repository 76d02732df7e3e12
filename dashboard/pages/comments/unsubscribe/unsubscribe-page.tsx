import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { MailX } from 'lucide-react'
import {
  NOTIFICATION_KINDS,
  type NotificationKind,
} from '../../../../contract/comments/notification-options.ts'
import { t } from '../../../../contract/text.ts'
import { Button, buttonClass } from '../../../components/button.tsx'
import { FormFailure } from '../../../components/failure.tsx'
import { AuthLayout } from '../../../components/layout/auth-layout.tsx'
import { labelInSentence } from '../../../state/label-in-sentence.ts'

/** Linked from emails. Requires a click, because mail programs open links automatically. */
export function UnsubscribePage() {
  const token = new URLSearchParams(location.search).get('token') ?? ''
  const unsubscribe = useMutation({ mutationFn: () => send(token) })
  if (unsubscribe.data)
    return (
      <AuthLayout title="You’re unsubscribed" lead={outcomeOf(unsubscribe.data)}>
        <Link to="/settings/notifications" className={`self-start ${buttonClass('plain')}`}>
          Notification settings
        </Link>
      </AuthLayout>
    )
  return (
    <AuthLayout
      title="Unsubscribe from these emails?"
      lead="You’ll still see these notifications in your Atrium inbox."
    >
      <FormFailure>{unsubscribe.error?.message}</FormFailure>
      <Button
        look="primary"
        className="self-start"
        busy={unsubscribe.isPending}
        onClick={() => unsubscribe.mutate()}
      >
        <MailX aria-hidden className="icon" />
        Unsubscribe
      </Button>
    </AuthLayout>
  )
}

/** Sends the mail programs' one-click request (RFC 8058). */
async function send(token: string): Promise<NotificationKind[]> {
  const url = `/api/v1/notifications/unsubscribe?token=${encodeURIComponent(token)}`
  const response = await fetch(url, {
    method: 'POST',
    body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
  })
  if (response.status === 404) throw new Error(t`This link is incomplete. Copy it again from the email.`)
  if (!response.ok) throw new Error(t`Couldn’t unsubscribe you. Try again later.`)
  return (await response.json()).unsubscribed
}

const outcomeOf = (kinds: NotificationKind[]) =>
  kinds.length === 0
    ? t`You won’t get the digest anymore.`
    : t`You won’t get any more emails about: ${kinds.map((kind) => labelInSentence(NOTIFICATION_KINDS[kind].label)).join(', ')}.`
