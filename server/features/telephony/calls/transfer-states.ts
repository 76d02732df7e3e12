import type { TRANSFER_STATES } from '../../../../contract/telephony/telephony-options.ts'

export type Miss = 'busy' | 'no_answer' | 'refused' | 'machine' | 'failed'

/** Shown to users. */
export const MISSES: Record<Miss, string> = {
  busy: 'the line was busy',
  no_answer: 'no one answered',
  refused: 'the person did not take the call',
  machine: 'an answering machine answered',
  failed: 'the call could not be made',
}

/** `target`, `reason`, `requestedBy` and `at` are shown to users. */
export interface Transfer {
  state: (typeof TRANSFER_STATES)[number]
  n: number
  targets: readonly string[]
  index: number
  target: string
  summary: string | null
  requestedBy: string | null
  reason: Miss | null
  at: string
  /** The agent finishes speaking before the caller is held. The carrier then requests TwiML. */
  isHandedOff: boolean
  holds: number
  /** Dialed, or possibly dialed: never dial again. */
  isDialed: boolean
  leg: string | null
  ending: readonly string[]
  /** The caller left the conference: hung up, or will be back. */
  isCallerMissing: boolean
  /** After a failure, the caller is with the agent again. */
  isReturned: boolean
  /** After this, the next callback counts as lost. */
  deadline: string | null
}

/** `dial` names one target in one transfer, so reports about an earlier target change nothing. */
export type TransferEvent =
  | { type: 'held' }
  | { type: 'hold_failed' }
  | { type: 'dialing'; dial: string }
  | { type: 'dialed'; dial: string; leg: string }
  | { type: 'dial_failed'; dial: string }
  | { type: 'answered'; dial: string; leg: string; isMachine: boolean }
  | { type: 'accepted'; dial: string; leg: string }
  | { type: 'refused'; dial: string; leg: string }
  | { type: 'target_ended'; dial: string; leg: string; miss: Miss }
  | { type: 'leg_ended'; leg: string }
  | { type: 'caller_missing' }
  | { type: 'caller_present' }
  | { type: 'caller_left' }
  | { type: 'returned' }
  | { type: 'timeout' }

/** All but `dial` may be repeated. */
export type TransferWork =
  | { type: 'end_leg'; leg: string }
  | { type: 'hold' }
  | { type: 'dial'; dial: string; to: string }
  | { type: 'find_caller' }
  | { type: 'return' }

const HOLDS_MAX = 3

/** In seconds. Longer than a working carrier takes. */
const HOLD_S = 15

/** Twenty seconds ringing, and thirty listening for a machine. */
const DIAL_S = 75

/** A thousand-character summary takes more than a minute. */
const BRIEF_S = 180

export const dialKey = ({ n, index }: Pick<Transfer, 'n' | 'index'>): string => `${n}.${index}`

export const isUnderWay = ({ state }: Pick<Transfer, 'state'>): boolean =>
  state === 'requested' || state === 'dialing' || state === 'briefing'

export function requestTransfer(
  {
    targets,
    summary,
    requestedBy,
    n,
    isHandedOff,
  }: Pick<Transfer, 'targets' | 'summary' | 'requestedBy' | 'n' | 'isHandedOff'>,
  now: Date,
): Transfer {
  return {
    ...{ state: 'requested', n, targets, index: 0, target: targets[0]!, summary, requestedBy, reason: null },
    ...{ at: now.toISOString(), isHandedOff, holds: 0, isDialed: false, leg: null, ending: [] },
    ...{ isCallerMissing: false, isReturned: false, deadline: deadlineAfter(now, HOLD_S) },
  }
}

export function nextWork(transfer: Transfer): TransferWork | null {
  const { state, ending, isDialed, isCallerMissing, isReturned, target, isHandedOff } = transfer
  if (isCallerMissing && (isUnderWay(transfer) || state === 'bridged')) return { type: 'find_caller' }
  if (state === 'requested' && !isHandedOff) return { type: 'hold' }
  if (state === 'dialing' && !isDialed) return { type: 'dial', dial: dialKey(transfer), to: target }
  if (state === 'failed' && !isReturned) return { type: 'return' }
  return ending.length > 0 ? { type: 'end_leg', leg: ending[0]! } : null
}

/**
 * Handles events in any order and repetition. The caller waits only in states with a deadline, and every deadline leads
 * to the next target or back to the agent.
 */
export function stepTransfer(transfer: Transfer, event: TransferEvent, now: Date): Transfer {
  const next = transition(transfer, event, now)
  return next.state === transfer.state && next.index === transfer.index
    ? next
    : { ...next, at: now.toISOString() }
}

function transition(transfer: Transfer, event: TransferEvent, now: Date): Transfer {
  switch (event.type) {
    case 'held':
      return transfer.state === 'requested' ? startDialing(transfer, 0, now) : transfer
    case 'hold_failed':
      return transfer.state === 'requested' ? afterFailedHold(transfer, now) : transfer
    case 'caller_missing':
      return isUnderWay(transfer) || transfer.state === 'bridged'
        ? { ...transfer, isCallerMissing: true }
        : transfer
    case 'caller_present':
      return { ...transfer, isCallerMissing: false }
    case 'caller_left':
      return afterCallerLeft(transfer)
    case 'leg_ended':
      return { ...transfer, ending: transfer.ending.filter((leg) => leg !== event.leg) }
    case 'returned':
      return transfer.state === 'failed' ? { ...transfer, isReturned: true } : transfer
    case 'timeout':
      return afterDeadline(transfer, now)
    default:
      return event.dial === dialKey(transfer)
        ? afterTargetEvent(transfer, event, now)
        : afterEarlierTargetEvent(transfer, event)
  }
}

type TargetEvent = Extract<TransferEvent, { dial: string }>

function afterTargetEvent(transfer: Transfer, event: TargetEvent, now: Date): Transfer {
  const { state } = transfer
  const isOpen = state === 'dialing' || state === 'briefing'
  switch (event.type) {
    case 'dialing':
      return state === 'dialing'
        ? { ...transfer, isDialed: true, deadline: deadlineAfter(now, DIAL_S) }
        : transfer
    case 'dialed':
      return isOpen || state === 'bridged' ? { ...transfer, leg: event.leg } : endLeg(transfer, event.leg)
    case 'dial_failed':
      return state === 'dialing' ? nextTarget(endLeg(transfer, transfer.leg), 'failed', now) : transfer
    case 'answered':
      if (state !== 'dialing') return transfer
      if (event.isMachine) return nextTarget(endLeg(transfer, event.leg), 'machine', now)
      return {
        ...transfer,
        state: 'briefing',
        isDialed: true,
        leg: event.leg,
        deadline: deadlineAfter(now, BRIEF_S),
      }
    case 'accepted':
      return isOpen ? { ...transfer, state: 'bridged', leg: event.leg, deadline: null } : transfer
    case 'refused':
      return isOpen ? nextTarget(endLeg(transfer, event.leg), 'refused', now) : transfer
    case 'target_ended':
      return afterTargetEnded(transfer, event, now)
  }
}

/** A person who answers an earlier target's leg hears that the caller has hung up. */
function afterEarlierTargetEvent(transfer: Transfer, event: TargetEvent): Transfer {
  if (event.type === 'dialed') return endLeg(transfer, event.leg)
  return event.type === 'target_ended' ? withoutLeg(transfer, event.leg) : transfer
}

function afterTargetEnded(
  transfer: Transfer,
  { leg, miss }: Extract<TransferEvent, { type: 'target_ended' }>,
  now: Date,
): Transfer {
  const remaining = withoutLeg(transfer, leg)
  if (transfer.state === 'bridged') return { ...remaining, state: 'ended', leg: null, deadline: null }
  if (transfer.state === 'briefing') return nextTarget(remaining, 'refused', now)
  return transfer.state === 'dialing' ? nextTarget(remaining, miss, now) : remaining
}

function afterCallerLeft(transfer: Transfer): Transfer {
  if (transfer.state === 'ended' || (transfer.state === 'failed' && transfer.isReturned)) return transfer
  const { ending } = endLeg(transfer, transfer.leg)
  return { ...transfer, state: 'ended', leg: null, ending, isCallerMissing: false, deadline: null }
}

function afterDeadline(transfer: Transfer, now: Date): Transfer {
  if (transfer.state === 'requested') return afterFailedHold(transfer, now)
  if (transfer.state !== 'dialing' && transfer.state !== 'briefing') return transfer
  return nextTarget(endLeg(transfer, transfer.leg), 'no_answer', now)
}

function afterFailedHold(transfer: Transfer, now: Date): Transfer {
  const holds = transfer.holds + 1
  return holds < HOLDS_MAX
    ? { ...transfer, holds, isHandedOff: false, deadline: deadlineAfter(now, HOLD_S) }
    : fail({ ...transfer, holds }, 'failed')
}

const nextTarget = (transfer: Transfer, reason: Miss, now: Date): Transfer =>
  transfer.index + 1 < transfer.targets.length
    ? startDialing({ ...transfer, reason }, transfer.index + 1, now)
    : fail(transfer, reason)

const startDialing = (transfer: Transfer, index: number, now: Date): Transfer => ({
  ...transfer,
  ...{ state: 'dialing', index, target: transfer.targets[index]!, isDialed: false, leg: null },
  deadline: deadlineAfter(now, DIAL_S),
})

const fail = (transfer: Transfer, reason: Miss): Transfer => ({
  ...transfer,
  ...{ state: 'failed', reason, leg: null, isReturned: false, deadline: null },
})

const endLeg = (transfer: Transfer, leg: string | null): Transfer =>
  leg === null || transfer.ending.includes(leg)
    ? transfer
    : { ...transfer, ending: [...transfer.ending, leg] }

/** The carrier has ended the leg itself. */
const withoutLeg = (transfer: Transfer, leg: string): Transfer => ({
  ...transfer,
  ending: transfer.ending.filter((other) => other !== leg),
})

const deadlineAfter = (now: Date, seconds: number) => new Date(now.getTime() + seconds * 1000).toISOString()
