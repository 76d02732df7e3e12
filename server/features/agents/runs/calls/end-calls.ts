import type { RunEvent } from '../../../../../contract/agents/run-events.ts'
import type { Sql } from '../../../../database/database.ts'
import { newId } from '../../../../security/ids.ts'
import { MAY_HAVE_HAPPENED } from '../../../../tools/tool.ts'
import { hasToolMessage, insertMessage } from '../../conversations/conversations.ts'
import { givenPassages } from '../citations/passages.ts'
import { type EngineRun, readRunTrust } from '../state/run-row.ts'
import { listRemarks, type RemarkedCall } from './approval-queries.ts'
import {
  type CallOutcome,
  type CallRow,
  type CallState,
  endCall,
  listCallsOfStep,
  listOpenCalls,
  numberIn,
} from './call-queries.ts'
import { markDecidedNoticesRead } from './notices.ts'

export const UNKNOWN_OUTPUT = {
  error: `This call was interrupted. ${MAY_HAVE_HAPPENED}`,
}

type EventCall = Pick<CallRow, 'step' | 'ordinal' | 'callId' | 'tool' | 'parent'>

export const startedEvent = (call: EventCall): RunEvent =>
  call.parent !== null
    ? programCallEvent(call, 'running', null)
    : {
        type: 'tool.started',
        data: { n: call.step, ordinal: call.ordinal, callId: call.callId, tool: call.tool },
      }

export const finishedEvent = (call: EventCall, { state, output }: CallOutcome): RunEvent =>
  call.parent !== null
    ? programCallEvent(call, state, state === 'done' ? null : errorText(output))
    : {
        type: 'tool.finished',
        data: { n: call.step, ordinal: call.ordinal, callId: call.callId, tool: call.tool, state, output },
      }

/** The output stays in the call's row: only the program reads it. */
export const programCallEvent = (
  { step, ordinal, parent, callId, tool }: EventCall,
  state: CallState,
  error: string | null,
  input?: unknown,
): RunEvent => ({
  type: 'code.called',
  data: {
    n: step,
    ordinal: parent!,
    callId: programCallId(callId),
    number: numberIn(ordinal),
    tool,
    ...(input !== undefined && { input }),
    state,
    error,
  },
})

/** A program's call has the id of its program's call and its number. */
export const innerCallId = (callId: string, number: number): string => `${callId}.${number}`
export const programCallId = (callId: string): string => callId.replace(/\.\d+$/, '')

export function errorText(output: unknown): string {
  const { error } = Object(output) as { error?: unknown }
  return typeof error === 'string' ? error : JSON.stringify(output ?? null)
}

/** A call ends as unknown if its request may have been sent. */
export async function endOpenCalls(
  sql: Sql,
  run: EngineRun,
  runStatus: 'succeeded' | 'failed' | 'canceled',
  now: Date,
): Promise<RunEvent[]> {
  const events: RunEvent[] = []
  for (const call of await listOpenCalls(sql, run)) {
    const isUnknown = call.state === 'running' && (call.effect === 'once' || call.effect === 'idempotent')
    const outcome: CallOutcome = isUnknown
      ? { state: 'unknown', output: UNKNOWN_OUTPUT }
      : {
          state: 'canceled',
          output: { error: runStatus === 'canceled' ? 'The run was canceled' : 'The run ended' },
        }
    await endCall(sql, run, call, outcome, now)
    events.push(finishedEvent(call, outcome))
  }
  const canceled = await sql<{ id: string }[]>`
    update approvals set decision = 'canceled', decided_at = ${now}
    where org_id = ${run.orgId} and run_id = ${run.id} and decision is null returning id`
  if (canceled.length > 0) await markDecidedNoticesRead(sql, run, now)
  for (const { id } of canceled)
    events.push({
      type: 'approval.decided',
      data: { approvalId: id, decision: 'canceled', decidedBy: null },
    })
  return events
}

/** When a run ends, unless already stored. */
export async function storeResults(sql: Sql, run: EngineRun, step: number, now: Date): Promise<void> {
  const [calls, remarks, isStored, trust] = await Promise.all([
    listCallsOfStep(sql, run, step),
    listRemarks(sql, run.orgId, run.id, step),
    hasToolMessage(sql, run.orgId, run.id, step),
    readRunTrust(sql, run),
  ])
  if (calls.length === 0 || isStored) return
  const withRemarks = calls.map((call) => {
    const remark = remarks.find(({ ordinal }) => ordinal === call.ordinal)
    return { ...call, editedInput: remark?.editedInput ?? null, note: remark?.note ?? null }
  })
  await insertResults(sql, { ...run, trust }, withRemarks, now)
}

/** In call order. */
export const insertResults = (sql: Sql, run: EngineRun, calls: readonly RemarkedCall[], now: Date) =>
  insertMessage(
    sql,
    run.orgId,
    run.sessionId,
    {
      id: newId(),
      role: 'tool',
      runId: run.id,
      step: calls[0]!.step,
      authorId: null,
      content: calls.map(resultPart),
      body: '',
      trust: run.trust,
      state: 'sent',
    },
    now,
    givenPassages(sql, run.orgId, calls),
  )

const resultPart = ({ callId, tool, state, output, images, editedInput, note }: RemarkedCall) => ({
  type: 'tool-result',
  toolCallId: callId,
  toolName: tool,
  output: {
    type: state === 'done' ? 'json' : 'error-json',
    value:
      editedInput === null && note === null
        ? (output ?? null)
        : { ...describe({ editedInput, note }), output: output ?? null },
  },
  ...(images && { images: images.map((image) => ({ type: 'image', ...image })) }),
})

/** Tells the model that the call differs from the one it made. */
const describe = ({ editedInput, note }: Pick<RemarkedCall, 'editedInput' | 'note'>) => ({
  ...(editedInput !== null && {
    edited: 'A member changed this call’s input before it was made',
    input: editedInput,
  }),
  ...(note !== null && { note }),
})
