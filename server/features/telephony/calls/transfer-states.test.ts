import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  dialKey,
  isUnderWay,
  nextWork,
  requestTransfer,
  stepTransfer,
  type Transfer,
  type TransferEvent,
} from './transfer-states.ts'

const NOW = new Date('2027-03-01T12:00:00Z')
const TARGETS = ['+4930111111', '+4930222222', '+4930333333']
const request = (count: number, isHandedOff = false) =>
  requestTransfer(
    { targets: TARGETS.slice(0, count), summary: null, requestedBy: null, n: 1, isHandedOff },
    NOW,
  )
const apply = (transfer: Transfer, ...events: TransferEvent[]) =>
  events.reduce((each, event) => stepTransfer(each, event, NOW), transfer)

/** A carrier that records the requests that it receives. */
function createCarrier() {
  const dials: string[] = []
  /** Recorded legs that have not ended. */
  const live = new Set<string>()
  /** Does the work of a transfer. `isLost`: the process is killed after the request, or the response is lost. */
  const work = (transfer: Transfer, isLost: boolean): Transfer => {
    const todo = nextWork(transfer)
    switch (todo?.type) {
      case 'hold':
        return apply(transfer, { type: isLost ? 'hold_failed' : 'held' })
      case 'dial': {
        dials.push(todo.dial)
        const dialing = apply(transfer, { type: 'dialing', dial: todo.dial })
        if (isLost) return dialing
        live.add(`leg ${todo.dial}`)
        return apply(dialing, { type: 'dialed', dial: todo.dial, leg: `leg ${todo.dial}` })
      }
      case 'end_leg':
        live.delete(todo.leg)
        return apply(transfer, { type: 'leg_ended', leg: todo.leg })
      case 'find_caller':
        return apply(transfer, { type: isLost ? 'caller_left' : 'caller_present' })
      case 'return':
        return isLost ? transfer : apply(transfer, { type: 'returned' })
      default:
        return transfer
    }
  }
  return { dials, live, work }
}

/** The states that may follow each state. */
const NEXT_STATES: Record<Transfer['state'], readonly Transfer['state'][]> = {
  requested: ['requested', 'dialing', 'failed', 'ended'],
  dialing: ['dialing', 'briefing', 'bridged', 'failed', 'ended'],
  briefing: ['briefing', 'dialing', 'bridged', 'failed', 'ended'],
  bridged: ['bridged', 'ended'],
  failed: ['failed', 'ended'],
  ended: ['ended'],
}

const callback = fc.record({
  type: fc.constantFrom('answered', 'accepted', 'refused', 'target_ended', 'dial_failed'),
  dial: fc.constantFrom('1.0', '1.1', '1.2', '0.0'),
  isMachine: fc.boolean(),
  miss: fc.constantFrom('busy', 'no_answer', 'failed', 'refused'),
})
const anyStep = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant('work'), isLost: fc.boolean() }) },
  { weight: 6, arbitrary: callback },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constantFrom('held', 'timeout', 'caller_missing', 'caller_left') }),
  },
)

test('a transfer ends connected, over or back at the agent for any callback order, repetition and loss', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 3 }),
      fc.boolean(),
      fc.array(anyStep, { maxLength: 30 }),
      (count, isHandedOff, steps) => {
        const { dials, live, work } = createCarrier()
        let transfer = request(count, isHandedOff)
        const violations: string[] = []
        const check = (next: Transfer) => {
          if (isUnderWay(next) !== (next.deadline !== null)) violations.push(`${next.state} ${next.deadline}`)
          if (!NEXT_STATES[transfer.state].includes(next.state))
            violations.push(`${transfer.state} to ${next.state}`)
          if (next.index < transfer.index) violations.push('an earlier target')
          transfer = next
        }
        for (const each of steps) {
          if (each.type === 'work') check(work(transfer, (each as { isLost: boolean }).isLost))
          else {
            const leg = 'dial' in each ? `leg ${each.dial}` : ''
            check(apply(transfer, { ...each, leg } as TransferEvent))
            if (each.type === 'target_ended') live.delete(leg)
          }
        }
        for (let turn = 0; turn < 50; turn++) {
          if (nextWork(transfer)) check(work(transfer, false))
          else if (transfer.deadline !== null) check(apply(transfer, { type: 'timeout' }))
        }
        expect(violations).toEqual([])
        expect(nextWork(transfer)).toBeNull()
        expect(
          transfer.state === 'failed' ? transfer.isReturned : ['bridged', 'ended'].includes(transfer.state),
        ).toBe(true)
        // No target is dialed twice, and no leg is left over.
        expect(new Set(dials).size).toBe(dials.length)
        const connected = transfer.state === 'bridged' ? [transfer.leg] : []
        expect([...live].filter((leg) => !connected.includes(leg))).toEqual([])
      },
    ),
    { numRuns: 500 },
  )
})

test('the second target connected after a busy first one', () => {
  const { work } = createCarrier()
  let transfer = work(work(request(2), false), false)
  expect([transfer.state, transfer.target, transfer.leg]).toEqual(['dialing', TARGETS[0], 'leg 1.0'])
  transfer = apply(transfer, { type: 'target_ended', dial: '1.0', leg: 'leg 1.0', miss: 'busy' })
  expect([transfer.state, transfer.target, transfer.reason]).toEqual(['dialing', TARGETS[1], 'busy'])
  transfer = apply(work(transfer, false), { type: 'answered', dial: '1.1', leg: 'leg 1.1', isMachine: false })
  expect([transfer.state, dialKey(transfer)]).toEqual(['briefing', '1.1'])
  transfer = apply(transfer, { type: 'accepted', dial: '1.1', leg: 'leg 1.1' })
  expect([transfer.state, transfer.leg, transfer.deadline]).toEqual(['bridged', 'leg 1.1', null])
  transfer = apply(transfer, { type: 'target_ended', dial: '1.1', leg: 'leg 1.1', miss: 'refused' })
  expect([transfer.state, nextWork(transfer)]).toEqual(['ended', null])
})

test("hanging up while a target rings ends the target's leg", () => {
  const { work } = createCarrier()
  const ringing = work(work(request(1), false), false)
  const ended = apply(ringing, { type: 'caller_left' })
  expect([ended.state, nextWork(ended)]).toEqual(['ended', { type: 'end_leg', leg: 'leg 1.0' }])
  expect(nextWork(apply(ended, { type: 'leg_ended', leg: 'leg 1.0' }))).toBeNull()
})
