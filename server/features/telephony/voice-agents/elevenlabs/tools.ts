import { Readable } from 'node:stream'
import { z } from 'zod'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import { Id } from '../../../../../contract/fields.ts'
import {
  ClosedConversation,
  type voiceAgents as contract,
  QueuedTask,
} from '../../../../../contract/telephony/voice-agents.ts'
import type { PublicContext } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import { isUniqueViolation } from '../../../../database/pg-errors.ts'
import { reply } from '../../../../endpoint/route.ts'
import { ApiError } from '../../../../errors.ts'
import { stableFence } from '../../../../language-models/fence.ts'
import { newId } from '../../../../security/ids.ts'
import { findAgent } from '../../../agents/agents/agents.ts'
import { deriveTitle } from '../../../agents/chat/chat.ts'
import { deliverMessage } from '../../../agents/outside-messages/outside-messages.ts'
import type { CallRow } from '../../calls/call.ts'
import { advanceCall, recordEntry } from '../../calls/record.ts'
import type { TelephonyOptions } from '../../dependencies.ts'
import { authenticateTool } from '../authenticate.ts'
import { contextOfOwner } from '../named-agent.ts'
import { findTaskRun, insertTask, type Result, takeResults } from '../tasks.ts'
import { findByProviderAgent, type VoiceAgentRow } from '../voice-agent-queries.ts'
import {
  buildInstructions,
  callExpires,
  openVoiceCall,
  publishCall,
  resultsDue,
  updateCallRun,
  updateVoiceCall,
} from '../voice-calls.ts'
import { toSessionKey } from './session.ts'

type Task = z.output<typeof QueuedTask>
type Outcome = { runId: string; results: Result[] } | { refusal: string }

/**
 * Uses the owner's current permissions. Responds immediately, and the result follows. A refusal is also a sentence,
 * because the voice agent speaks it.
 */
export const queueAgentRun =
  (options: TelephonyOptions) =>
  async (
    ctx: PublicContext<'objects' | 'quotas' | 'suspensions'>,
    input: InputOf<typeof contract.queueAgentRun>,
  ) => {
    const { ctx: tenant, voiceAgent, body } = await authenticateTool(ctx, input)
    const parsed = QueuedTask.safeParse(body)
    if (!parsed.success) return refused('invalid', SAY.unreadable)
    const task = parsed.data
    const outcome = await queue(options, tenant, voiceAgent, task).catch((error: unknown) => {
      // A concurrent request with the same id has queued the task.
      if (isUniqueViolation(error, 'voice_tasks_tool_call')) return queue(options, tenant, voiceAgent, task)
      if (!(error instanceof ApiError)) throw error
      options.log.info({ code: error.code, orgId: voiceAgent.orgId }, 'a voice agent’s task was refused')
      return { refusal: SAY.failed }
    })
    if ('refusal' in outcome) return refused('refused', outcome.refusal)
    const sentence = task.notify === 'sms' ? SAY.queuedSms : SAY.queued
    return { result: 'queued', runId: outcome.runId, say: withResults(sentence, outcome.results) }
  }

const refused = (result: string, say: string) => reply({ result, runId: null, say }, { status: 200 })

async function queue(
  { models }: TelephonyOptions,
  ctx: PublicContext<'objects' | 'quotas'>,
  voiceAgent: VoiceAgentRow,
  task: Task,
) {
  const choices = await models.choices(voiceAgent.orgId)
  return ctx.transaction(async (inside): Promise<Outcome> => {
    const { sql } = inside
    const { orgId } = voiceAgent
    const at = inside.now()
    const opened = await openVoiceCall(sql, orgId, voiceAgent, {
      ...{
        id: newId(),
        providerId: task.conversation_id,
        numberId: null,
        status: 'in_progress',
        startedAt: at,
      },
    })
    if (!opened) return { refusal: SAY.foreign }
    const { call } = opened
    const toolCallId = task.tool_call_id ?? null
    const earlierRunId = toolCallId && (await findTaskRun(sql, orgId, voiceAgent.id, toolCallId))
    if (earlierRunId) return { runId: earlierRunId, results: [] }
    const acting = await contextOfOwner(inside, voiceAgent)
    if (!acting) return { refusal: SAY.noAccess }
    const agentId = await findExposedAgent(sql, voiceAgent, task.agent ?? null)
    if (agentId === null) return { refusal: SAY.noAgent }
    const delivered = await deliverMessage(choices, acting, {
      key: toSessionKey(task.conversation_id),
      projectId: voiceAgent.projectId,
      agentId,
      title: deriveTitle(task.task),
      ...({ origin: 'call', trigger: 'call', trust: 'verified' } as const),
      content: [{ type: 'text', text: messageOf(task.task) }],
      body: task.task,
    })
    const { runId } = delivered
    await insertTask(sql, orgId, {
      ...{ id: newId(), voiceAgentId: voiceAgent.id, callId: call.id, toolCallId, runId },
      ...{ bySms: task.notify === 'sms', now: at },
    })
    await updateCallRun(sql, orgId, call.id, delivered)
    await recordEntry(sql, orgId, call.id, { at, type: 'run_queued', detail: runId })
    if (opened.isNew) await announceCall(inside, orgId, call)
    return { runId, results: await takeResults(inside, orgId, call.id) }
  })
}

/** ElevenLabs ends and reports conversations earlier, but the report may be lost. */
const UNREPORTED_MS = 2 * 3_600_000

async function announceCall(inside: PublicContext, orgId: string, call: CallRow): Promise<void> {
  await publishCall(inside, orgId, 'call.started', call, 'in_progress')
  const runAt = new Date(inside.now().getTime() + UNREPORTED_MS)
  await inside.enqueue(callExpires, { orgId, callId: call.id }, { runAt })
}

const messageOf = (task: string) =>
  `A voice agent speaks with a caller on the phone, and passes on a task. Answer in a few sentences that can be spoken.\n\n${stableFence(task, 'a caller on the phone (outside)')}`

/**
 * A caller can make the voice agent use any name, so only agents with a voice from an admin in the same project count.
 * Without a name, it's the voice agent's own.
 */
async function findExposedAgent(
  sql: Sql,
  { orgId, agentId, projectId }: VoiceAgentRow,
  name: string | null,
): Promise<string | null> {
  if (name === null) return agentId
  const exposedAgents = await listExposedAgents(sql, orgId, projectId)
  const nameOrId = name.trim().toLowerCase()
  const isId = Id.safeParse(name).success
  const matches = exposedAgents.filter((agent) =>
    isId ? agent.id === nameOrId : agent.name.toLowerCase() === nameOrId,
  )
  return matches.length === 1 ? matches[0]!.id : null
}

const listExposedAgents = (sql: Sql, orgId: string, projectId: string) => sql<{ id: string; name: string }[]>`
  select distinct a.id, w.settings ->> 'name' as name
  from voice_agents v
  join agents a on a.org_id = v.org_id and a.id = v.agent_id and a.archived_at is null
  join agent_versions w on w.org_id = a.org_id and w.agent_id = a.id and w.version = a.version
  where v.org_id = ${orgId} and v.project_id = ${projectId} and v.deleted_at is null`

/** May be repeated. */
export async function closeConversation(
  ctx: PublicContext<'objects' | 'quotas' | 'suspensions'>,
  input: InputOf<typeof contract.closeConversation>,
) {
  const { ctx: tenant, voiceAgent, body } = await authenticateTool(ctx, input)
  const parsed = ClosedConversation.safeParse(body)
  if (!parsed.success) return { result: 'invalid', say: SAY.unreadable }
  const { conversation_id: providerId, reason, summary } = parsed.data
  const { orgId } = voiceAgent
  return tenant.transaction(async (inside) => {
    const { sql } = inside
    const at = inside.now()
    const opened = await openVoiceCall(sql, orgId, voiceAgent, {
      ...{ id: newId(), providerId, numberId: null, status: 'in_progress', startedAt: at },
    })
    if (!opened) return { result: 'refused', say: SAY.foreign }
    const { call } = opened
    await recordEntry(sql, orgId, call.id, {
      ...{ key: 'elevenlabs:closed', at, type: 'conversation_closed', detail: reason ?? null },
    })
    const { isEnd } = await advanceCall(sql, orgId, call.id, {
      ...{ status: 'completed', at, endReason: 'agent_ended' },
    })
    await updateVoiceCall(sql, orgId, call.id, { summary })
    if (opened.isNew) await publishCall(inside, orgId, 'call.started', call, 'in_progress')
    if (isEnd) await publishCall(inside, orgId, 'call.ended', call, 'completed')
    // Results requested by text message follow later.
    const results = await takeResults(inside, orgId, call.id, ({ bySms }) => !bySms)
    await inside.enqueue(resultsDue, { orgId, callId: call.id })
    return { result: 'closed', say: withResults(SAY.closed, results) }
  })
}

/** An ElevenLabs workspace has one URL for all agents, so the request names the agent. */
const Initiation = z.looseObject({ agent_id: z.string().max(100).optional().catch(undefined) }).catch({})

/** The caller's number changes nothing, as it doesn't prove identity. */
export async function describeCall(
  ctx: PublicContext<'objects' | 'quotas' | 'suspensions'>,
  input: InputOf<typeof contract.elevenlabsInitiation>,
) {
  const { ctx: inside, voiceAgent, body } = await authenticateTool(ctx, input)
  const { sql } = inside
  const { orgId } = voiceAgent
  const { agent_id: providerAgentId = voiceAgent.providerAgentId } = Initiation.parse(body ?? {})
  const speakingAgent =
    providerAgentId === voiceAgent.providerAgentId
      ? voiceAgent
      : await findByProviderAgent(sql, orgId, 'elevenlabs', providerAgentId ?? '')
  const agent = speakingAgent && (await findAgent(sql, orgId, speakingAgent.agentId))
  const isWorking = agent && agent.archivedAt === null
  return jsonReply({
    type: 'conversation_initiation_client_data',
    dynamic_variables: isWorking ? { agent_name: agent.settings.name } : {},
    conversation_config_override: isWorking
      ? { agent: { prompt: { prompt: buildInstructions(agent) } } }
      : {},
  })
}

const jsonReply = (value: object) =>
  reply(null, {
    bytes: {
      content: Readable.from([Buffer.from(JSON.stringify(value))]),
      headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
    },
  })

const SAY = {
  queued: 'I have passed this on. The result will follow.',
  queuedSms: 'I have passed this on. You will get the result by text message.',
  closed: 'Thank you for your call. Goodbye.',
  unreadable: 'I am sorry, I did not understand what to pass on. Please say it again.',
  foreign: 'I am sorry, I cannot find this conversation.',
  noAccess: 'I am sorry, I cannot pass this on at the moment.',
  noAgent: 'I am sorry, I cannot reach this colleague.',
  failed: 'I am sorry, I cannot pass this on at the moment.',
} as const

/** Earlier results come with the next answer, because ElevenLabs accepts no text for a call in progress. */
const withResults = (sentence: string, results: readonly Result[]): string =>
  [...results.map(({ text }) => `About your earlier request: ${text}`), sentence].join(' ')
