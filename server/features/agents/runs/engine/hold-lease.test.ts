import { expect, onTestFinished, test } from 'vitest'
import { createClock } from '../../../../testing/fakes/clock.ts'
import { LEASE_MS, LeaseLost } from '../state/lease.ts'
import { holdLease } from './hold-lease.ts'

function startLease() {
  const clock = createClock()
  let renewals = 0
  let response: () => { isCancelRequested: boolean } = () => ({ isCancelRequested: false })
  const lease = holdLease({
    renew: async () => {
      renewals++
      return response()
    },
    deadlineAt: new Date(clock.now().getTime() + 3_600_000).toISOString(),
    now: clock.now,
    everyMs: 1,
  })
  onTestFinished(lease.stop)
  return {
    clock,
    signal: lease.signal,
    respond: (next: typeof response) => {
      response = next
    },
    /** Resolves after a renewal that got the current response. */
    nextRenewal: async () => {
      const before = renewals
      await expect.poll(() => renewals, { interval: 1 }).toBeGreaterThan(before + 1)
    },
  }
}
const fail = (error: Error) => () => {
  throw error
}

test('calls continue while the database is unreachable, until another worker may have leased the run', async () => {
  const { clock, signal, respond, nextRenewal } = startLease()
  respond(fail(new Error('the database restarts')))
  await nextRenewal()
  clock.advance(LEASE_MS / 1000 - 1)
  await nextRenewal()
  expect(signal.aborted).toBe(false)
  respond(() => ({ isCancelRequested: false }))
  await nextRenewal()
  respond(fail(new Error('the database restarts again')))
  clock.advance(LEASE_MS / 1000 - 1)
  await nextRenewal()
  expect(signal.aborted).toBe(false)
  clock.advance(1)
  await expect.poll(() => signal.reason).toBeInstanceOf(LeaseLost)
})

test.each<[string, () => { isCancelRequested: boolean }, boolean]>([
  ['another worker has claimed the run', fail(new LeaseLost()), true],
  ['a person cancels the run', () => ({ isCancelRequested: true }), false],
])('calls end if %s', async (_what, next, isLost) => {
  const { signal, respond } = startLease()
  respond(next)
  await expect.poll(() => signal.aborted).toBe(true)
  expect(signal.reason instanceof LeaseLost).toBe(isLost)
})
