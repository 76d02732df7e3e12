import { t } from '../text.ts'

/** Plain data without schemas, for the dashboard. */
export const ENDPOINT_REPLIES = ['auto', 'approve', 'off'] as const

export const ENDPOINT_STATUSES = ['active', 'paused'] as const

export const ENDPOINT_PAUSES = {
  by_person: t`A member paused it.`,
  owner_left: t`The endpoint’s owner has left the organization.`,
  access_lost: t`The endpoint’s owner can no longer edit the project.`,
  project_deleted: t`The project is in the trash.`,
} as const
export type EndpointPause = keyof typeof ENDPOINT_PAUSES
export const ENDPOINT_PAUSE_NAMES = Object.keys(ENDPOINT_PAUSES) as EndpointPause[]

/** Events that wait are handled in order once the reason has ended. */
export const EVENT_HOLDS = {
  connection: t`The connection isn’t working.`,
  endpoint: t`The endpoint is paused.`,
  agent: t`The agent is archived.`,
  budget: t`A budget is used up.`,
} as const
export type EventHold = keyof typeof EVENT_HOLDS
export const EVENT_HOLD_NAMES = Object.keys(EVENT_HOLDS) as EventHold[]

/**
 * `registered`: the provider sends events. `by_hand`: set up manually at the provider. `failed`: the provider refused,
 * and the server retries.
 */
export const ENDPOINT_REGISTRATIONS = ['pending', 'registered', 'by_hand', 'failed'] as const

/**
 * `held`: waits for the connection, the agent or a budget. `ignored`: nothing to do, with the reason. `rejected`: the
 * request couldn't be verified.
 */
export const PROVIDER_EVENT_STATUSES = [
  'pending',
  'held',
  'running',
  'succeeded',
  'failed',
  'ignored',
  'rejected',
] as const

export const IGNORED_EVENTS = {
  not_selected: t`The endpoint isn’t set to receive this event type.`,
  filtered: t`The endpoint’s filter excludes it.`,
  own_message: t`The connected account wrote it.`,
  bot: t`A bot wrote it.`,
  not_an_event: t`It contains nothing an agent could handle, or the agent wrote it.`,
  unreadable: t`The connector can’t read it.`,
  unknown_target: t`It changes a message the endpoint never received.`,
  deleted: t`Its sender deleted it before the agent read it.`,
  merged: t`It was merged into the message it changes.`,
  fetched: t`It points to other events, which follow.`,
} as const

/** `unknown`: it may have been sent, and isn't sent again. */
export const REPLY_STATUSES = ['waiting', 'pending', 'sent', 'failed', 'unknown', 'rejected'] as const

export const ENDPOINT_LIMITS = {
  name: 80,
  filter: 1000,
  sessionKey: 200,
  field: 500,
  reply: 32_000,
  bodyBytes: 262_144,
  triedEvents: 50,
  perOrganization: 200,
} as const
