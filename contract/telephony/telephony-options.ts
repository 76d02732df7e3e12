import { t } from '../text.ts'

/** Plain data without schemas, for the dashboard. */
export const CARRIERS = ['twilio'] as const
/**
 * Who speaks with the caller: an agent here, through the carrier or a member's browser, or another provider's voice.
 */
export const CALL_PROVIDERS = ['twilio', 'openai', 'elevenlabs', 'browser'] as const

/**
 * `error`: its URLs at the carrier point to another server, or its account can't be reached. `released`: no longer
 * used.
 */
export const NUMBER_STATUSES = ['active', 'error', 'released'] as const
export const NUMBER_URLS = ['voice', 'sms', 'status'] as const
/** `elsewhere`: the carrier sends to another URL. */
export const NUMBER_URL_STATES = ['ok', 'elsewhere', 'missing', 'unknown'] as const

export const DIRECTIONS = ['inbound', 'outbound'] as const

/** In order: a call never returns to an earlier status. The last six are final. */
export const CALL_STATUSES = [
  'queued',
  'ringing',
  'in_progress',
  'completed',
  'busy',
  'no_answer',
  'failed',
  'canceled',
  'rejected',
] as const
export type CallStatus = (typeof CALL_STATUSES)[number]
export const OPEN_CALL_STATUSES: readonly CallStatus[] = ['queued', 'ringing', 'in_progress']

export const CALL_ENDS = {
  caller_hung_up: t`The caller hung up.`,
  agent_ended: t`The agent ended the call.`,
  member_ended: t`A member ended the call.`,
  no_input: t`The caller was silent.`,
  no_progress: t`The conversation stalled.`,
  time_limit: t`The call reached its maximum length.`,
  budget: t`A budget is used up.`,
  transferred: t`The call was transferred.`,
  voicemail: t`The caller left a message.`,
  no_answer: t`Nobody answered.`,
  busy: t`The line was busy.`,
  machine: t`An answering machine took the call.`,
  rejected: t`A rule rejected the call.`,
  no_rule: t`No rule answers calls to this number.`,
  agent_failed: t`The agent failed.`,
  access_lost: t`The member this agent acts for can no longer edit the project.`,
  carrier_failed: t`The carrier couldn’t place the call.`,
  connection_lost: t`The connection was lost.`,
  voice_failed: t`The model that transcribes or speaks failed.`,
} as const
export type CallEnd = keyof typeof CALL_ENDS
export const CALL_END_NAMES = Object.keys(CALL_ENDS) as [CallEnd, ...CallEnd[]]

export const TRANSFER_STATES = ['requested', 'dialing', 'briefing', 'bridged', 'failed', 'ended'] as const

/** `undelivered`: the carrier accepted it, but the recipient didn't get it. */
export const SMS_STATUSES = [
  'received',
  'queued',
  'sending',
  'sent',
  'delivered',
  'undelivered',
  'failed',
] as const
export type SmsStatus = (typeof SMS_STATUSES)[number]

export const RULE_CHANNELS = ['voice', 'sms', 'both'] as const
export const RULE_ACTIONS = ['agent', 'workflow', 'forward', 'voicemail', 'reject'] as const
export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

export const RULE_MISSES = {
  disabled: t`The rule is disabled.`,
  number: t`It’s for other numbers.`,
  channel: t`It’s for another channel.`,
  caller: t`The caller’s number doesn’t start with its prefix.`,
  text: t`The message doesn’t contain its text.`,
  day: t`It doesn’t apply on this day.`,
  time: t`It doesn’t apply at this time.`,
  holiday: t`It doesn’t apply on this holiday.`,
  later: t`An earlier rule takes it.`,
} as const
export type RuleMiss = keyof typeof RULE_MISSES
export const RULE_MISS_NAMES = Object.keys(RULE_MISSES) as [RuleMiss, ...RuleMiss[]]

export const VOICE_PROVIDERS = ['openai', 'elevenlabs'] as const

export const TELEPHONY_LIMITS = {
  label: 80,
  ruleName: 80,
  rules: 100,
  targets: 10,
  holidays: 100,
  prefix: 16,
  contains: 200,
  message: 1000,
  smsBody: 1600,
  media: 10,
  greeting: 500,
  callMinutes: 240,
  callMinutesDefault: 30,
  callbackBytes: 65_536,
  /** For a post-call webhook with a recording. */
  recordingBytes: 209_715_200,
  numbersPerOrganization: 200,
} as const

export const BROWSER_CALL_LIMITS = {
  minutes: 30,
  /** Calls at the same time. */
  perMember: 3,
  perOrganization: 20,
  /** Until the socket must be connected, first or again. */
  connectSeconds: 60,
  utteranceBytes: 2_097_152,
  utteranceSeconds: 60,
  utterancesPerMinute: 30,
  /** Received, but not transcribed yet. */
  utterancesWaiting: 3,
  /** A muted member is not asked whether they are still there. */
  mutedMinutes: 10,
} as const

/** Closes a socket that doesn’t respond, to connect again. Codes below 4000 aren’t for pages. */
export const RECONNECT_CLOSE_CODE = 4000

/** What a browser and the server send each other as text, besides audio. */
export const BROWSER_CALL_STATES = ['listening', 'thinking', 'speaking'] as const
export type BrowserCallState = (typeof BROWSER_CALL_STATES)[number]
