import type { z } from 'zod'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import { type voiceAgents as contract, QueuedTask } from '../../../../../contract/telephony/voice-agents.ts'
import type { PublicContext } from '../../../../context.ts'
import { isUniqueViolation } from '../../../../database/pg-errors.ts'
import { reply } from '../../../../endpoint/route.ts'
import { ApiError } from '../../../../errors.ts'
import { stableFence } from '../../../../language-models/fence.ts'
import { newId } from '../../../../security/ids.ts'
import { titleOf } from '../../../agents/chat/chat.ts'
import { deliverMessage } from '../../../agents/outside-messages/outside-messages.ts'
import type { CallRow } from '../../calls/call-queries.ts'
import { recordEntry } from '../../calls/record.ts'
import type { TelephonyOptions } from '../../dependencies.ts'
import { contextOfOwner } from '../acting.ts'
import { authenticateTool } from '../authenticate-tool.ts'
import { openVoiceCall, updateCallRun } from '../call-queries.ts'
import { findExposedAgent } from '../exposed-agents.ts'
import { callExpires } from '../jobs.ts'
import { publishCall } from '../publish-call.ts'
import { type Result, takeResults } from '../results.ts'
import { findTaskRun, insertTask } from '../task-queries.ts'
import type { VoiceAgentRow } from '../voice-agent-queries.ts'
import { sessionKeyOf } from './session.ts'
import { SAY, withResults } from './spoken.ts'

type Task = z.output<typeof QueuedTask>
type Outcome = { runId: string; results: Result[] } | { refusal: string }

/**
 * The voice agent passes a task of the caller to an agent, with the current rights of its owner. Responds immediately; the
 * result follows. A refusal is a sentence too, because the voice agent speaks it.
 */
export const queueAgentRun =
  (options: TelephonyOptions) =>
  async (ctx: PublicContext, input: InputOf<typeof contract.queueAgentRun>) => {
    const { ctx: tenant, voiceAgent, body } = await authenticateTool(ctx, input)
    const parsed = QueuedTask.safeParse(body)
    if (!parsed.success) return refused('invalid', SAY.unreadable)
    const task = parsed.data
    const outcome = await queue(options, tenant, voiceAgent, task).catch((error: unknown) => {
      // A concurrent request with the same id has queued the task.
      if (isUniqueViolation(error, 'voice_tasks_tool_call')) return queue(options, tenant, voiceAgent, task)
      if (!(error instanceof ApiError)) throw error
      options.log.info({ code: error.code, orgId: voiceAgent.orgId }, 'a task of a voice agent was refused')
      return { refusal: SAY.failed }
    })
    if ('refusal' in outcome) return refused('refused', outcome.refusal)
    const sentence = task.notify === 'sms' ? SAY.queuedSms : SAY.queued
    return { result: 'queued', runId: outcome.runId, say: withResults(sentence, outcome.results) }
  }

const refused = (result: string, say: string) => reply({ result, runId: null, say }, { status: 200 })

async function queue(
  { models }: TelephonyOptions,
  ctx: PublicContext,
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
      key: sessionKeyOf(task.conversation_id),
      projectId: voiceAgent.projectId,
      agentId,
      title: titleOf(task.task),
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

/** ElevenLabs ends conversations before this, and reports it; the report may be lost. */
const UNREPORTED_MS = 2 * 3_600_000

async function announceCall(inside: PublicContext, orgId: string, call: CallRow): Promise<void> {
  await publishCall(inside, orgId, 'call.started', call, 'in_progress')
  const runAt = new Date(inside.now().getTime() + UNREPORTED_MS)
  await inside.enqueue(callExpires, { orgId, callId: call.id }, { runAt })
}

const messageOf = (task: string) =>
  `A voice agent speaks with a caller on the phone, and passes on a task. Answer in a few sentences that can be spoken.\n\n${stableFence(task, 'a caller on the phone (outside)')}`
