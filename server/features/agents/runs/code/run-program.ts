import { setTimeout as sleep } from 'node:timers/promises'
import { Busy } from '../../../../errors.ts'
import { fence } from '../../../../language-models/fence.ts'
import { type ConsoleLine, type ProgramResult, sandbox } from '../../../../sandbox/sandbox.ts'
import { readSkill } from '../../../knowledge/skills/skills.ts'
import type { CallOutcome, CallRow } from '../calls/call-queries.ts'
import {
  type CallEnvironment,
  failed,
  finish,
  outcomeOf,
  screenAndRecord,
  start,
} from '../calls/call-tool.ts'
import { fitOutput } from '../calls/output.ts'
import { append, LeaseLost } from '../state/lease.ts'
import { readRunTrust } from '../state/run-row.ts'
import { LIBRARY } from './library/library.ts'
import { createProgramCalls, type ProgramCalls, ProgramStopped, type ProgramTools } from './program-calls.ts'
import { endProgramCalls, readProgram, suspendCte } from './program-queries.ts'
import type { RunCodeInput } from './run-code.ts'

const CALL_BYTES_MAX = 262_144
const CONSOLE_SHOWN = { head: 3000, tail: 1000 }
const BUSY_PAUSE_MS = 1000

/** The call ends when its program does. While the program waits long, the call waits too, and no process is used. */
export async function runProgram(
  env: CallEnvironment,
  call: CallRow,
  input: RunCodeInput,
  given: ProgramTools,
): Promise<void> {
  const { ctx, run, signal } = env
  if (!(await start(env, call))) return
  const stored = await readProgram(ctx.sql, run, call)
  const code = await findCode(env, input)
  if (code === null) return finish(env, call, failed('not_found', NO_CODE))
  const calls = createProgramCalls(env, call, given, stored)
  const lines: ConsoleLine[] = []
  try {
    const result = await whenFree(signal, () =>
      sandbox().runProgram({
        orgId: run.orgId,
        code,
        library: LIBRARY,
        values: { input: input.input ?? null },
        // A repeated program finds what it called before, although it may not be offered any more.
        tools: [...new Set([...given.tools.keys(), ...stored.calls.map(({ tool }) => tool)])],
        seed: `${run.id}:${call.step}:${call.ordinal}`,
        now: new Date(stored.startedAt),
        limits: { callBytes: CALL_BYTES_MAX },
        signal,
        onTurn: async (turn) => {
          lines.push(...turn.lines)
          await calls.onTurn(turn)
        },
        next: calls.next,
      }),
    )
    await end(env, call, calls, result, lines)
  } catch (error) {
    await calls.settle()
    // The next worker repeats the program.
    if (signal.reason instanceof LeaseLost) throw signal.reason
    // The run ends, and its open calls with it.
    if (signal.aborted) return
    if (!(error instanceof ProgramStopped)) throw error
    const stopped: ProgramResult = { state: 'failed', error: { kind: 'diverged', message: error.message } }
    await end(env, call, calls, stopped, lines, error.code)
  }
}

const NO_CODE = 'Give `code`, or as `script` the skill and path of a script that the skill has'

async function findCode(
  { ctx, run }: CallEnvironment,
  { code, script }: RunCodeInput,
): Promise<string | null> {
  if ((code === undefined) === (script === undefined)) return null
  if (code !== undefined) return code
  const [name, path] = [script!.slice(0, script!.indexOf('/')), script!.slice(script!.indexOf('/') + 1)]
  return (await readSkill(ctx.sql, run, { name, path }))?.text ?? null
}

/** A program that has begun waits for its turn instead of failing. */
async function whenFree<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Busy)) throw error
      await sleep(BUSY_PAUSE_MS, undefined, { signal })
    }
  }
}

async function end(
  env: CallEnvironment,
  call: CallRow,
  calls: ProgramCalls,
  result: ProgramResult,
  lines: readonly ConsoleLine[],
  errorCode?: string,
): Promise<void> {
  const { ctx, run } = env
  await calls.settle()
  await calls.save()
  if (result.state === 'suspended') {
    env.heldCalls.add(call)
    await append(ctx.sql, run, [], ctx.now(), { change: suspendCte(ctx.sql, call) })
    return
  }
  if (result.state === 'failed')
    await ctx.transaction(({ sql }) => endProgramCalls(sql, run, call, ctx.now()))
  const trust = await readRunTrust(ctx.sql, run)
  const isFenced = trust === 'untrusted' || calls.hasFenced()
  await finish(env, call, await toOutcome(env, call, { result, lines, isFenced, errorCode }))
}

interface Ended {
  result: Exclude<ProgramResult, { state: 'suspended' }>
  lines: readonly ConsoleLine[]
  isFenced: boolean
  errorCode: string | undefined
}

/** Code can't launder what it has read: if anything was untrusted, all of it is data. */
async function toOutcome(
  env: CallEnvironment,
  call: CallRow,
  { result, lines, isFenced, errorCode }: Ended,
): Promise<CallOutcome> {
  const written = shorten(
    lines.map(({ level, text }) => (level === 'log' ? text : `[${level}] ${text}`)).join('\n'),
  )
  const console = written === '' ? {} : { console: written }
  try {
    if (result.state === 'done') {
      const output = { result: result.value, ...console }
      return await fitted(env, call, isFenced ? { data: fence(JSON.stringify(output), SOURCE) } : output)
    }
    const { kind, message, line } = result.error
    const text = line === undefined ? message : `${message} (line ${line})`
    const failure = isFenced
      ? failed(errorCode ?? kind, 'The program failed', {
          data: fence(JSON.stringify({ error: text, ...console }), SOURCE),
        })
      : { ...failed(errorCode ?? kind, text), output: { error: text, ...console } }
    const screened = await screenAndRecord(env, call, env.tools.get(call.tool)!, failure.output, env.ctx.sql)
    return { ...failure, output: screened }
  } catch (error) {
    return outcomeOf(env, call, error)
  }
}

const SOURCE = 'a program that read untrusted data'

async function fitted(env: CallEnvironment, call: CallRow, output: unknown): Promise<CallOutcome> {
  const screened = await screenAndRecord(env, call, env.tools.get(call.tool)!, output, env.ctx.sql)
  const { overflow, output: small } = fitOutput(screened)
  return overflow ? env.storeOverflow(call, overflow) : { state: 'done', output: small }
}

const shorten = (text: string): string => {
  const { head, tail } = CONSOLE_SHOWN
  if (text.length <= head + tail) return text
  return `${text.slice(0, head).toWellFormed()}\n[…]\n${text.slice(-tail).toWellFormed()}`
}
