import type { Sql } from '../../../../database/database.ts'
import { newId } from '../../../../security/ids.ts'
import { hasToolMessage, insertMessage } from '../../conversations/conversations.ts'
import { listRemarks } from '../approvals/approval-queries.ts'
import type { EngineRun } from '../engine/run-row.ts'
import type { CallState } from '../engine/step-state.ts'
import { trustOf } from '../engine/trust.ts'
import { listCallsOfStep } from './call-queries.ts'

/** Adds the results of the last step of a run that ends to the conversation, unless they are part of it. */
export async function storeResults(sql: Sql, run: EngineRun, step: number, now: Date): Promise<void> {
  const [calls, remarks, isStored, trust] = await Promise.all([
    listCallsOfStep(sql, run, step),
    listRemarks(sql, run.orgId, run.id, step),
    hasToolMessage(sql, run.orgId, run.id, step),
    trustOf(sql, run),
  ])
  if (calls.length === 0 || isStored) return
  const withRemarks = calls.map((call) => {
    const remark = remarks.find(({ ordinal }) => ordinal === call.ordinal)
    return { ...call, editedInput: remark?.editedInput ?? null, note: remark?.note ?? null }
  })
  await insertResults(sql, { ...run, trust }, withRemarks, now)
}

/** Adds the results of the calls of a step to the conversation, in the order of the calls. */
export const insertResults = (sql: Sql, run: EngineRun, calls: readonly CallState[], now: Date) =>
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
  )

const resultPart = ({ callId, tool, state, output, editedInput, note }: CallState) => ({
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
})

/** Informs the model that the call differs from the one that it made. */
const describe = ({ editedInput, note }: Pick<CallState, 'editedInput' | 'note'>) => ({
  ...(editedInput !== null && {
    edited: 'A person changed the input of this call before it was made',
    input: editedInput,
  }),
  ...(note !== null && { note }),
})
