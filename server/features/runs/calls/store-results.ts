import type { Sql } from '../../../database/database.ts'
import { newId } from '../../../security/ids.ts'
import { hasToolMessage, insertMessage } from '../../sessions/sessions.ts'
import { listRemarks, type Remark } from '../approvals/approval-queries.ts'
import type { EngineRun } from '../engine/run-row.ts'
import { trustOf } from '../engine/trust.ts'
import { type CallRow, listCallsOfStep } from './call-queries.ts'

/** Adds the results of a step's calls to the conversation, once, in the order of the calls. */
export async function storeResults(sql: Sql, run: EngineRun, step: number, now: Date): Promise<void> {
  const [calls, remarks] = await Promise.all([
    listCallsOfStep(sql, run, step),
    listRemarks(sql, run.orgId, run.id, step),
  ])
  if (calls.length === 0 || (await hasToolMessage(sql, run.orgId, run.id, step))) return
  await insertMessage(
    sql,
    run.orgId,
    run.sessionId,
    {
      id: newId(),
      role: 'tool',
      runId: run.id,
      step,
      authorId: null,
      content: calls.map((call) =>
        resultPart(
          call,
          remarks.find(({ ordinal }) => ordinal === call.ordinal),
        ),
      ),
      body: '',
      trust: await trustOf(sql, run),
      state: 'sent',
    },
    now,
  )
}

const resultPart = ({ callId, tool, state, output }: CallRow, remark: Remark | undefined) => ({
  type: 'tool-result',
  toolCallId: callId,
  toolName: tool,
  output: {
    type: state === 'done' ? 'json' : 'error-json',
    value: remark ? { ...describe(remark), output: output ?? null } : (output ?? null),
  },
})

/** The model has to know that the call differs from the one that it made. */
const describe = ({ editedInput, note }: Remark) => ({
  ...(editedInput !== null && {
    edited: 'A person changed the input of this call before it was made',
    input: editedInput,
  }),
  ...(note !== null && { note }),
})
