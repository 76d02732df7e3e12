import { createSemaphore } from '../../../../concurrency/semaphore.ts'
import { parseJson } from '../../../../sandbox/json.ts'
import type { ConsoleLine, HandedResult, ProgramCall } from '../../../../sandbox/sandbox.ts'
import { sha256 } from '../../../../security/digest.ts'
import { listGrants, requestApprovals } from '../calls/approval-queries.ts'
import { type CallOutcome, type CallRow, insertCalls, isOpen, numberIn } from '../calls/call-queries.ts'
import { type CallEnvironment, callTool } from '../calls/call-tool.ts'
import { innerCallId } from '../calls/end-calls.ts'
import { findKnownUrls } from '../calls/known-urls.ts'
import { findNamedHosts } from '../calls/named-hosts.ts'
import { findCoveredCalls, planCalls } from '../calls/plan-calls.ts'
import { reportApprovals } from '../children/report.ts'
import { screenInputs, screenLines } from '../screening/screen-calls.ts'
import type { RequestedCall } from '../state/answer.ts'
import { append } from '../state/lease.ts'
import type { RunAgent } from '../state/prompt.ts'
import type { RunTool } from '../state/run-tool.ts'
import { toStorable } from '../state/storable.ts'
import { addConsoleCte, type StoredCall, storeHanded } from './program-queries.ts'
import { toProgramResult } from './results.ts'

const CONCURRENT_CALLS_MAX = 8
const CALL_WAIT_MS = 3_600_000
/** Of all calls: their rows keep them. */
const INPUT_BYTES_MAX = 16_777_216

export interface ProgramTools {
  agent: RunAgent
  /** What the program may call, by name. */
  tools: ReadonlyMap<string, RunTool>
}

/** The program ends with this error. */
export class ProgramStopped extends Error {
  readonly code: 'code_changed' | 'too_large'
  constructor(code: 'code_changed' | 'too_large', message: string) {
    super(message)
    this.code = code
  }
}

interface Known {
  row: CallRow
  finishedAt: Date | null
}

export type ProgramCalls = ReturnType<typeof createProgramCalls>

/**
 * A program's calls: each is a row with the policy, approvals and guardrails of any other call. After an interruption
 * the program runs again: it gets finished calls' results from their rows, in the order in which it got them before.
 */
export function createProgramCalls(
  env: CallEnvironment,
  parent: CallRow,
  { agent, tools }: ProgramTools,
  stored: { calls: readonly StoredCall[]; lineCount: number },
) {
  const { ctx, run } = env
  const storedCalls = new Map(stored.calls.map((call) => [numberIn(call.ordinal), call]))
  const recorded = stored.calls
    .filter(({ handed }) => handed !== null)
    .toSorted((a, b) => a.handed! - b.handed!)
    .map(({ ordinal }) => numberIn(ordinal))
  const known = new Map<number, Known>()
  const finished: number[] = []
  const unsaved: number[] = []
  const semaphore = createSemaphore({ name: 'calls', permits: CONCURRENT_CALLS_MAX, waitMs: CALL_WAIT_MS })
  let handedCount = 0
  let savedCount = recorded.length
  let seenLines = 0
  let inputBytes = 0
  let activeCount = 0
  let hasFenced = false
  let fault: { error: unknown } | null = null
  let changes: Promise<void> = Promise.resolve()
  let changed = Promise.withResolvers<void>()

  async function onTurn({ calls, lines }: { calls: readonly ProgramCall[]; lines: readonly ConsoleLine[] }) {
    const isNew = ({ number }: ProgramCall) => !storedCalls.has(number)
    for (const call of calls.filter((each) => !isNew(each))) takeStored(call)
    const newLines = await screenLines(env.screening, lines.slice(Math.max(0, stored.lineCount - seenLines)))
    seenLines += lines.length
    const added = calls.filter(isNew)
    if (added.length > 0) for (const call of await insert(added, newLines)) take(call)
    else await saveLines(newLines)
  }

  /** Never makes a call that differs from its row. */
  function takeStored(call: ProgramCall) {
    const row = storedCalls.get(call.number)!
    if (row.requestHash !== hashOf(call))
      throw new ProgramStopped(
        'code_changed',
        `Call ${call.number} was ${row.tool} before, and ${call.name} or its input is different now. Nothing was called`,
      )
    take({ row, finishedAt: row.finishedAt === null ? null : new Date(row.finishedAt) })
  }

  function take(call: Known) {
    const { row } = call
    const number = numberIn(row.ordinal)
    known.set(number, call)
    if (!isOpen(row)) {
      if (!recorded.includes(number)) finished.push(number)
    } else if (row.state === 'pending' || row.state === 'running' || isHeld(row)) execute(number, row)
  }

  /** Changes lock the same project, so they run one by one, in the program's order. */
  function execute(number: number, row: CallRow) {
    activeCount++
    const work = () => callTool(innerEnvironment(number), row)
    const isChange = row.effect === 'transaction'
    const done = isChange ? changes.then(work) : semaphore.run('run', work)
    if (isChange) changes = done.catch(() => {})
    done
      .catch((error: unknown) => {
        fault ??= { error }
      })
      .finally(() => {
        activeCount--
        changed.resolve()
      })
  }

  const innerEnvironment = (number: number): CallEnvironment => ({
    ...env,
    run: { ...run, trust: currentTrust },
    heldCalls: new Set(),
    onFinished: (row, outcome, at) => {
      known.set(number, { row: { ...row, ...ended(outcome) }, finishedAt: at })
      if (!finished.includes(number)) finished.push(number)
    },
  })
  let currentTrust = run.trust

  async function insert(added: readonly ProgramCall[], lines: readonly ConsoleLine[]): Promise<Known[]> {
    for (const { input } of added) inputBytes += input.length
    if (inputBytes > INPUT_BYTES_MAX)
      throw new ProgramStopped('too_large', 'The inputs of the program’s calls are larger than 16 MB in all')
    const requested = added.map(
      ({ number, name, input }): RequestedCall => ({
        callId: innerCallId(parent.callId, number),
        tool: name,
        input: toStorable(parseJson(input)),
        invalid: null,
      }),
    )
    const { rules, judge } = env.screening
    const screened = await screenInputs({ rules: rules.tool, judge }, requested)
    const handed = unsaved.splice(0)
    const inserted = await ctx.transaction(async ({ sql }) => {
      const now = ctx.now()
      const change = lines.length > 0 ? { change: addConsoleCte(sql, parent, lines) } : {}
      const [{ trust }, grants] = await Promise.all([
        append(sql, run, consoleEvents(lines), now, change),
        listGrants(sql, run),
        handed.length > 0 && storeHanded(sql, run, parent, handed.map(ordinalOf), savedCount),
      ])
      currentTrust = trust
      const current = { ...run, trust }
      const answer = { calls: screened.calls }
      const covered = await findCoveredCalls(sql, current, tools, answer, now)
      const namedHosts = await findNamedHosts(sql, current, agent, tools, answer)
      const knownUrls = await findKnownUrls(sql, current, tools, answer)
      const targets = { namedHosts, knownUrls }
      const place = { parent, firstNumber: added[0]!.number }
      const planned = planCalls(
        tools,
        current,
        agent,
        parent.step,
        answer,
        grants,
        covered,
        targets,
        now,
        place,
      )
      const calls = planned.calls.map((call, index) => ({ ...call, requestHash: hashOf(added[index]!) }))
      await Promise.all([insertCalls(sql, run, calls, now), append(sql, run, planned.events, now)])
      if (planned.approvals.length > 0) await requestApprovals(sql, run, planned.approvals, now)
      await reportApprovals(sql, run, planned.events, now)
      return calls.map((call): Known => {
        const row = { ...call, attempts: 0, images: null, childRunId: null }
        // As stored: a repeated program gets the same time.
        return { row, finishedAt: isOpen(row) ? null : now }
      })
    })
    savedCount += handed.length
    for (const { callId, matched } of screened.callMatches)
      await env.recordMatches(ctx.sql, { ...parent, callId }, matched)
    return inserted
  }

  async function saveLines(lines: readonly ConsoleLine[]): Promise<void> {
    if (lines.length === 0) return
    const change = addConsoleCte(ctx.sql, parent, lines)
    await append(ctx.sql, run, consoleEvents(lines), ctx.now(), { change })
  }

  const consoleEvents = (lines: readonly ConsoleLine[]) =>
    lines.length === 0
      ? []
      : [
          {
            type: 'code.console' as const,
            data: { n: parent.step, ordinal: parent.ordinal, lines: toStorable(lines) as never },
          },
        ]

  const ordinalOf = (number: number) => known.get(number)!.row.ordinal

  /** Null if nothing can arrive before a decision, another run or a connection. */
  async function next(): Promise<HandedResult | null> {
    for (;;) {
      if (fault) throw fault.error
      const number = recorded[handedCount]
      if (number !== undefined) {
        const call = known.get(number)
        if (!call || isOpen(call.row))
          throw new ProgramStopped('code_changed', `Call ${number} had a result before, and is not made now`)
        handedCount++
        return hand(number)
      }
      const ready = finished.shift()
      if (ready !== undefined) {
        unsaved.push(ready)
        return hand(ready)
      }
      if (activeCount === 0) return null
      await changed.promise
      changed = Promise.withResolvers<void>()
    }
  }

  function hand(number: number): HandedResult {
    const { row, finishedAt } = known.get(number)!
    const { text, isFenced, isError } = toProgramResult(row)
    hasFenced ||= isFenced
    return { number, isError, output: text, now: finishedAt!.getTime() }
  }

  return {
    onTurn,
    next,
    hasFenced: () => hasFenced,
    count: () => known.size,
    /** Before the program ends or waits: a repeated one must get results in the same order. */
    async save(): Promise<void> {
      const handed = unsaved.splice(0)
      if (handed.length === 0) return
      await ctx.transaction(async ({ sql }) => {
        await append(sql, run, [], ctx.now())
        await storeHanded(sql, run, parent, handed.map(ordinalOf), savedCount)
      })
      savedCount += handed.length
    },
    /** No call runs afterwards. */
    async settle(): Promise<void> {
      while (activeCount > 0) {
        await changed.promise
        changed = Promise.withResolvers<void>()
      }
    },
  }
}

const isHeld = ({ state, childRunId }: CallRow) => state === 'waiting' && childRunId === null

const ended = ({ state, output }: CallOutcome) => ({ state, output })

const hashOf = ({ name, input }: ProgramCall): string => sha256(`${name}\n${input}`).toString('base64url')
