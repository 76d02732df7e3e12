import { t } from '../text.ts'

/** `mail` and `digest` include the inbox. */
export const NOTIFICATION_CHANNELS = ['app', 'mail', 'digest', 'off'] as const
export type NotificationChannel = (typeof NOTIFICATION_CHANNELS)[number]

export const NOTIFICATION_KINDS = {
  mention: { label: t`Mentions`, description: t`A member mentions you in a comment.`, channel: 'mail' },
  reply: {
    label: t`Replies`,
    description: t`A member replies in a thread in which you wrote.`,
    channel: 'app',
  },
  approval: {
    label: t`Approvals`,
    description: t`A run or a payment waits for your decision.`,
    channel: 'mail',
  },
  run: {
    label: t`Runs`,
    description: t`A run of yours that took more than five minutes has ended, or a scheduled one has failed.`,
    channel: 'mail',
  },
  schedule: {
    label: t`Schedules and endpoints`,
    description: t`A schedule or an endpoint of a connector was paused, or an endpoint could not be set up.`,
    channel: 'mail',
  },
  connection: {
    label: t`Connections`,
    description: t`A connection has to be authorized again.`,
    channel: 'mail',
  },
  webhook: {
    label: t`Webhooks`,
    description: t`A webhook was disabled, or an event could not be delivered. For owners.`,
    channel: 'mail',
  },
  budget: {
    label: t`Budgets`,
    description: t`A budget is 80 % spent, or exhausted. For owners and admins.`,
    channel: 'mail',
  },
  key: {
    label: t`API keys`,
    description: t`An API key of yours expires within seven days.`,
    channel: 'mail',
  },
  invitation: {
    label: t`Invitations`,
    description: t`A person whom you invited has joined.`,
    channel: 'app',
  },
} as const satisfies Record<string, { label: string; description: string; channel: NotificationChannel }>

export type NotificationKind = keyof typeof NOTIFICATION_KINDS
export const NOTIFICATION_KIND_NAMES = Object.keys(NOTIFICATION_KINDS) as [NotificationKind]

export const NOTIFICATION_LIMITS = {
  /** Notifications are deleted at this age. */
  days: 90,
  /** Stored per user and organization; the oldest are deleted. */
  perPerson: 1000,
  /** Unread notifications are counted up to this number: clients show "99+". */
  counted: 100,
  /** In the user's time zone. */
  digestHour: 8,
}
