import type { Context, JobContext } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import { type CallRow, insertCalls } from '../calls/call-queries.ts'
import { readFencedResult } from '../code/results.ts'
import { type EngineRun, readRunTrust, type StepEnd } from '../state/run-row.ts'
import { type NewRun, startAgentRun } from '../state/start-run.ts'
import { endAttempt, insertAttempt } from '../state/step-queries.ts'
import type { Engine } from './engine.ts'
import { settle } from './settle.ts'

const FIRST = { n: 1, attempt: 1 }
const NO_CONTEXT = { tokens: 0, fromSeq: 0, toSeq: 0, summaryId: null, pinnedSeq: null }

/** A run whose only step is a program: it asks no model, and the program's calls follow the same rules. */
export async function startProgramRun(
  ctx: Context,
  started: Omit<NewRun, 'isProgram'>,
  program: { code: string; input: unknown },
): Promise<EngineRun> {
  const { sql } = ctx
  const run = await startAgentRun(ctx, { ...started, isProgram: true })
  const now = ctx.now()
  await insertAttempt(sql, run, { ...FIRST, kind: 'answer', model: run.model, context: NO_CONTEXT, now })
  await endAttempt(sql, run, {
    ...{ ...FIRST, state: 'done', content: [], finish: 'tool-calls', usage: null, cost: null },
    ...{ errorCode: null, error: null, firstTokenAt: null, now },
  })
  const call = { step: 1, ordinal: 1, callId: 'program', tool: 'run_code', input: program }
  await insertCalls(
    sql,
    run,
    [
      {
        ...call,
        ...{ effect: 'read', risk: 'none', state: 'pending', output: null },
        ...{ approvalId: null, parent: null, requestHash: null },
      },
    ],
    now,
  )
  return run
}

/** With the program's result. */
export async function endProgramRun(
  engine: Engine,
  ctx: JobContext,
  run: EngineRun,
  [call]: readonly Pick<CallRow, 'state' | 'output'>[],
): Promise<StepEnd> {
  const output = (call?.output ?? {}) as ProgramOutput
  if (call?.state === 'done')
    return settle(engine, ctx, run, { status: 'succeeded', output: await resultOf(ctx.sql, run, output) })
  const detail = typeof output.error === 'string' ? output.error : undefined
  return settle(engine, ctx, run, { status: 'failed', code: 'program_failed', detail })
}

interface ProgramOutput {
  result?: unknown
  /** Instead of the result, between markers for models. */
  data?: unknown
  error?: unknown
}

/** Without markers: the run's trust tells the next block that this is data, and conditions read its fields. */
async function resultOf(sql: Sql, run: EngineRun, { result, data }: ProgramOutput): Promise<unknown> {
  if (typeof data !== 'string') return result ?? null
  return (await readRunTrust(sql, run)) === 'untrusted' ? readFencedResult(data) : data
}
