import { createSemaphore } from '../../../../concurrency/semaphore.ts'
import { type CallRow, listOpenCalls } from '../calls/call-queries.ts'
import { type CallEnvironment, callTool } from '../calls/call-tool.ts'
import { append } from '../state/lease.ts'
import { holdLease } from './hold-lease.ts'
import { type StepEnd, wait } from './settle.ts'

const CONCURRENT_CALLS_MAX = 8
/** Each call has its own limit. The run's lease ends a step with hanging calls. */
const CALL_WAIT_MS = 3_600_000

/** Then continues the run or waits for decisions. */
export async function runCalls(
  base: Omit<CallEnvironment, 'signal' | 'heldCalls'>,
  openCalls: CallRow[],
): Promise<StepEnd> {
  const { ctx, run } = base
  const { now } = ctx
  const renew = () => append(ctx.sql, run, [], now())
  const lease = holdLease({ renew, deadlineAt: run.deadlineAt, now })
  const heldCalls = new Set<CallRow>()
  try {
    await runOpen({ ...base, heldCalls, signal: lease.signal }, openCalls)
  } finally {
    lease.stop()
  }
  if (openCalls.every(needsNoDecision) && heldCalls.size === 0) return 'next'
  // Locks the run first, so a concurrent decision commits afterwards and makes the next step due.
  return ctx.transaction(async (inside) => {
    await append(inside.sql, run, [], ctx.now())
    const reason = reasonToWait(await listOpenCalls(inside.sql, run))
    return reason ? wait(inside, run, reason) : 'next'
  })
}

const isRunnable = ({ state }: CallRow) => state === 'pending' || state === 'running'

const isHeld = ({ state, childRunId }: CallRow) => state === 'waiting' && childRunId === null

const needsNoDecision = (call: CallRow) => isRunnable(call) || isHeld(call)

function reasonToWait(open: CallRow[]): 'approval' | 'input' | 'connection' | 'child' | null {
  // A program waits for its own calls.
  const openCalls = open.filter((call) => !(call.state === 'waiting' && hasOpenCalls(call, open)))
  if (openCalls.some(isWaitingProgram)) return null
  if (openCalls.some(isRunnable)) return null
  const undecided = openCalls.filter(({ state }) => state === 'approval')
  if (undecided.length > 0) return undecided.every(({ tool }) => tool === 'ask_person') ? 'input' : 'approval'
  if (openCalls.some(isHeld)) return 'connection'
  return openCalls.length > 0 ? 'child' : null
}

const isWaitingProgram = (call: CallRow) => isHeld(call) && call.output === null

const hasOpenCalls = ({ step, ordinal }: CallRow, open: CallRow[]) =>
  open.some((call) => call.step === step && call.parent === ordinal)

async function runOpen(env: CallEnvironment, openCalls: CallRow[]): Promise<void> {
  const callSemaphore = createSemaphore({
    name: 'calls',
    permits: CONCURRENT_CALLS_MAX,
    waitMs: CALL_WAIT_MS,
  })
  const runnable = openCalls.filter(needsNoDecision)
  // These lock the same project, so they run one by one, in the answer's order.
  const changes = runnable.filter(({ effect }) => effect === 'transaction')
  const others = runnable.filter(({ effect }) => effect !== 'transaction')
  await Promise.all([
    inOrder(changes, (call) => callTool(env, call)),
    ...others.map((call) => callSemaphore.run('run', () => callTool(env, call))),
  ])
}

async function inOrder<T>(items: T[], run: (item: T) => Promise<void>): Promise<void> {
  for (const item of items) await run(item)
}
