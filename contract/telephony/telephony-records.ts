import { z } from 'zod'
import { Id, Timestamp } from '../fields.ts'
import { NumberSettings, RuleAction, RuleMatch } from './telephony-fields.ts'
import {
  CALL_END_NAMES,
  CALL_PROVIDERS,
  CALL_STATUSES,
  CARRIERS,
  DIRECTIONS,
  NUMBER_STATUSES,
  NUMBER_URL_STATES,
  SMS_STATUSES,
  TRANSFER_STATES,
  VOICE_PROVIDERS,
} from './telephony-options.ts'

const NumberUrl = z.object({
  url: z.string().describe('Where the carrier should send requests'),
  actual: z.string().nullable().describe('Where it sent them when this was last read'),
  state: z.enum(NUMBER_URL_STATES),
})

export const PhoneNumber = z.object({
  id: Id,
  e164: z.string(),
  provider: z.enum(CARRIERS),
  connectionId: Id.nullable().describe('Null for this server’s account'),
  label: z.string().nullable(),
  capabilities: z.object({ voice: z.boolean(), sms: z.boolean(), mms: z.boolean() }),
  status: z.enum(NUMBER_STATUSES),
  statusReason: z.string().nullable(),
  webhooks: z.object({ voice: NumberUrl, sms: NumberUrl, status: NumberUrl }),
  projectId: Id.describe('Project for its sessions and files'),
  projectName: z.string().nullable().describe('Null if you cannot see the project'),
  owner: z.object({ id: Id, name: z.string() }).describe('Who imported it'),
  settings: NumberSettings,
  checkedAt: Timestamp.nullable(),
  createdAt: Timestamp,
})

export const Money = z.object({
  amount: z.string().meta({ examples: ['0.013000'] }),
  currency: z.literal('USD'),
  isEstimate: z.boolean().describe('True until the provider reports its own amount'),
})

const Transfer = z.object({
  state: z.enum(TRANSFER_STATES),
  target: z.string().nullable(),
  reason: z.string().nullable().describe('Why the last target was not reached'),
  requestedBy: Id.nullable().describe('Null for the agent'),
  at: Timestamp,
})

export const Call = z.object({
  id: Id,
  direction: z.enum(DIRECTIONS),
  from: z.string(),
  to: z.string(),
  numberId: Id.nullable(),
  projectId: Id,
  provider: z
    .enum(CALL_PROVIDERS)
    .describe('`browser`: a member talks to the agent without a carrier, and `to` is the agent’s name'),
  member: z
    .object({ id: Id, name: z.string() })
    .nullable()
    .describe('Who talks in the browser; null for phone calls'),
  status: z.enum(CALL_STATUSES),
  agentId: Id.nullable(),
  agentName: z.string().nullable(),
  ruleId: Id.nullable().describe('Rule that answered it'),
  sessionId: Id.nullable(),
  runId: Id.nullable().describe('The last run'),
  startedAt: Timestamp,
  answeredAt: Timestamp.nullable(),
  endedAt: Timestamp.nullable(),
  durationSeconds: z.int().nullable(),
  endReason: z.enum(CALL_END_NAMES).nullable(),
  summary: z.string().nullable(),
  recordingFileId: Id.nullable(),
  transcriptFileId: Id.nullable(),
  cost: Money.nullable(),
  transfer: Transfer.nullable(),
})

export const CallEntry = z.object({
  at: Timestamp,
  type: z.string().meta({ examples: ['ringing'] }),
  detail: z.string().nullable(),
})

export const CallWithTimeline = Call.extend({ timeline: z.array(CallEntry) })

export const Sms = z.object({
  id: Id,
  direction: z.enum(DIRECTIONS),
  from: z.string(),
  to: z.string(),
  numberId: Id,
  body: z.string(),
  media: z.array(Id).describe('Files'),
  status: z.enum(SMS_STATUSES),
  segments: z.int(),
  encoding: z.enum(['GSM-7', 'UCS-2']),
  errorCode: z.string().nullable(),
  errorMessage: z.string().nullable(),
  sessionId: Id.nullable(),
  runId: Id.nullable(),
  cost: Money.nullable(),
  createdAt: Timestamp,
  sentAt: Timestamp.nullable(),
})

export const SmsConversation = z.object({
  numberId: Id,
  number: z.string(),
  peer: z.string(),
  sessionId: Id.nullable(),
  lastMessage: Sms,
  messages: z.int(),
  optedOut: z.boolean(),
  pausedAt: Timestamp.nullable().describe(
    'When answering was paused, after many automatic answers in an hour',
  ),
})

export const OptOut = z.object({
  numberId: Id,
  number: z.string(),
  recipient: z.string(),
  source: z.enum(['message', 'carrier', 'member']),
  createdAt: Timestamp,
})

export const RoutingRule = z.object({
  id: Id,
  name: z.string(),
  priority: z.int(),
  enabled: z.boolean(),
  match: RuleMatch,
  action: RuleAction,
  fallback: RuleAction.describe('Used when the action cannot be carried out'),
  runsAs: z
    .object({ id: Id, name: z.string() })
    .describe('Member whose permissions agents have: whoever last changed the rule’s action or enabled it'),
  problem: z.string().nullable().describe('Why the action currently cannot be carried out'),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})

export const VoiceAgent = z.object({
  id: Id,
  provider: z.enum(VOICE_PROVIDERS),
  providerAgentId: z.string().nullable().describe('Agent at the provider, for ElevenLabs'),
  agentId: Id.describe('Atrium agent that works for it'),
  agentName: z.string(),
  projectId: Id,
  connectionId: Id.nullable(),
  owner: z.object({ id: Id, name: z.string() }),
  urls: z.object({
    webhook: z.string(),
    initiation: z.string().nullable(),
    closeConversation: z.string().nullable(),
    queueAgentRun: z.string().nullable(),
  }),
  lastUsedAt: Timestamp.nullable(),
  createdAt: Timestamp,
})
