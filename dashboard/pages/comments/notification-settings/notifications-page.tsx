import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  NOTIFICATION_KINDS,
  type NotificationChannel,
  type NotificationKind,
} from '../../../../contract/comments/notification-options.ts'
import { t } from '../../../../contract/text.ts'
import { commentApi, type NotificationSettings, notificationSettingsQuery } from '../../../api/comments.ts'
import { shortMessage } from '../../../api/explain.ts'
import { formatMoment } from '../../../components/dates.ts'
import { Failure } from '../../../components/failure.tsx'
import { InlineSelect } from '../../../components/forms/select.tsx'
import { TimeZoneField } from '../../../components/forms/time-zone-field.tsx'
import { browserTimeZone } from '../../../components/forms/time-zones.ts'
import { Row, Rows, Section } from '../../../components/section.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { toast } from '../../../components/toast.tsx'
import { Page } from '../../../frame/page.tsx'
import { labelInSentence } from '../../../state/label-in-sentence.ts'

const CHANNELS: { value: NotificationChannel; label: string }[] = [
  { value: 'app', label: t`Inbox` },
  { value: 'mail', label: t`Inbox and immediate email` },
  { value: 'digest', label: t`Inbox and daily digest` },
  { value: 'off', label: t`Off` },
]

interface Change {
  channels?: Partial<Record<NotificationKind, NotificationChannel>>
  timeZone?: string
}

export function NotificationsPage() {
  const queries = useQueryClient()
  const settings = useQuery(notificationSettingsQuery)
  const change = useMutation({
    mutationFn: (input: Change) => commentApi.notifications.updateSettings(input),
    onSuccess: (next) => {
      queries.setQueryData(notificationSettingsQuery.queryKey, next)
      toast(t`Saved`)
    },
    onError: (error) => toast(shortMessage(error)),
  })
  const { data } = settings
  return (
    <Page title="Notifications">
      {settings.isPending && <SkeletonRows rows={6} />}
      {settings.error && !data && <Failure error={settings.error} onRetry={() => settings.refetch()} />}
      {data && (
        <>
          <Section title="Types" lead={leadOf(data)}>
            <Rows label="Notification types">
              {Object.entries(NOTIFICATION_KINDS).map(([name, { label, description }]) => (
                <Row key={name} title={label} note={description}>
                  <InlineSelect
                    label={t`Channel for ${labelInSentence(label)}`}
                    value={data.channels[name as NotificationKind]}
                    options={data.mail.available ? CHANNELS : WITHOUT_MAIL}
                    onChoose={(channel) => change.mutate(changeOf(name as NotificationKind, channel))}
                  />
                </Row>
              ))}
            </Rows>
          </Section>
          {data.mail.available && (
            <Digest settings={data} onTimeZone={(timeZone) => change.mutate({ timeZone })} />
          )}
        </>
      )}
    </Page>
  )
}

const WITHOUT_MAIL = CHANNELS.filter(({ value }) => value === 'app' || value === 'off')

/** Digests go out in the morning, in this browser's time zone. */
const changeOf = (kind: NotificationKind, channel: NotificationChannel): Change => ({
  channels: { [kind]: channel },
  ...(channel === 'digest' && { timeZone: browserTimeZone() }),
})

function leadOf({ mail }: NotificationSettings): string {
  if (!mail.available)
    return t`For this organization. This server doesn’t send email, so notifications only appear in the inbox.`
  if (!mail.verified) return t`For this organization. You won’t get email until you verify your address.`
  return t`For this organization. Every email has a link to unsubscribe from its type.`
}

function Digest({
  settings: { nextDigestAt, timeZone, digestHour },
  onTimeZone,
}: {
  settings: NotificationSettings
  onTimeZone: (timeZone: string) => void
}) {
  return (
    <Section
      title="Daily digest"
      lead={t`One email at ${String(digestHour).padStart(2, '0')}:00 with your unread notifications, for types set to daily digest.`}
    >
      <div className="flex max-w-form flex-col gap-8">
        <TimeZoneField value={timeZone} onChange={onTimeZone} />
        <p className="text-13 text-neutral-11">
          {nextDigestAt
            ? t`The next digest is on ${formatMoment(nextDigestAt, { timeZone })}.`
            : t`No type is set to daily digest.`}
        </p>
      </div>
    </Section>
  )
}
