import type { Sql } from '../../../database/database.ts'
import { newId } from '../../../security/ids.ts'
import { hasToolMessage, insertMessage } from '../../sessions/sessions.ts'
import type { EngineRun } from '../engine/run-row.ts'
import { type CallRow, listCallsOfStep } from './call-queries.ts'

/** Adds the results of a step's calls to the conversation, once, in the order of the calls. */
export async function storeResults(sql: Sql, run: EngineRun, step: number, now: Date): Promise<void> {
  const calls = await listCallsOfStep(sql, run, step)
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
      content: calls.map(resultPart),
      body: '',
      trust: run.trust,
      state: 'sent',
    },
    now,
  )
}

const resultPart = ({ callId, tool, state, output }: CallRow) => ({
  type: 'tool-result',
  toolCallId: callId,
  toolName: tool,
  output: { type: state === 'done' ? 'json' : 'error-json', value: output ?? null },
})
