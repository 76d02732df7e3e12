import { t } from '../text.ts'

/** `mail` and `digest` include the inbox. */
export const NOTIFICATION_CHANNELS = ['app', 'mail', 'digest', 'off'] as const
export type NotificationChannel = (typeof NOTIFICATION_CHANNELS)[number]

export const NOTIFICATION_KINDS = {
  mention: { label: t`Mentions`, description: t`A member mentions you in a comment.`, channel: 'mail' },
  reply: {
    label: t`Replies`,
    description: t`A member replies in a thread you wrote in.`,
    channel: 'app',
  },
  approval: {
    label: t`Approvals`,
    description: t`A run or payment needs your decision.`,
    channel: 'mail',
  },
  run: {
    label: t`Runs`,
    description: t`Your run ended after more than five minutes, or a scheduled run failed.`,
    channel: 'mail',
  },
  schedule: {
    label: t`Schedules, sources and endpoints`,
    description: t`A schedule, synced source or connector endpoint was paused, a source keeps failing, or an endpoint couldn’t be set up.`,
    channel: 'mail',
  },
  connection: {
    label: t`Connections`,
    description: t`A connection needs to be authorized again.`,
    channel: 'mail',
  },
  webhook: {
    label: t`Webhooks`,
    description: t`A webhook was disabled, or an event couldn’t be delivered. Owners only.`,
    channel: 'mail',
  },
  budget: {
    label: t`Budgets`,
    description: t`A budget is 80% or 100% spent. Owners and admins only.`,
    channel: 'mail',
  },
  key: {
    label: t`API keys`,
    description: t`One of your API keys expires within seven days.`,
    channel: 'mail',
  },
  invitation: {
    label: t`Invitations`,
    description: t`Someone you invited has joined.`,
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
