import { print, printMessage, sanitize, style } from '../../terminal.ts'
import type { EventWithDeliveries, ListedEvent } from './find.ts'

type Delivery = EventWithDeliveries['deliveries'][number]

const COLORS = {
  received: 'cyan',
  pending: 'cyan',
  retrying: 'yellow',
  held: 'yellow',
  delivered: 'green',
  succeeded: 'green',
  failed: 'red',
  rejected: 'red',
  filtered: 'dim',
  canceled: 'dim',
} as const

export const statusLabel = (status: keyof typeof COLORS) => style(COLORS[status], status, process.stdout)

export const timeOf = (timestamp: string) => `${timestamp.slice(0, 10)} ${timestamp.slice(11, 19)}Z`

/** Prints an event with its verification and every delivery attempt, if the caller's role allows it. */
export function printEventDetails(event: ListedEvent): void {
  const { id, type, status, receivedAt, externalId, payload, deliveries, repetitions } = event
  print(`${style('bold', sanitize(type), process.stdout)}  ${statusLabel(status)}`)
  print(`  id           ${id}`)
  print(`  received     ${timeOf(receivedAt)}`)
  print(`  from         ${sanitize(fromOf(event))}`)
  if (!deliveries) {
    printMessage('The payload and the deliveries are visible to admins and owners.')
    return
  }
  if (externalId) print(`  external id  ${sanitize(externalId)}`)
  if (repetitions && repetitions.count > 0) {
    const last = timeOf(repetitions.times.at(-1)!)
    print(
      `  repeated     ${repetitions.count === 1 ? `at ${last}` : `${repetitions.count} times, last at ${last}`}`,
    )
  }
  print(`  payload      ${sanitize(JSON.stringify(payload))}`)
  for (const delivery of deliveries) printDelivery(delivery)
}

function fromOf({ direction, source, webhookName, verification }: ListedEvent): string {
  if (direction === 'internal') return 'Atrium'
  const receiver = `${source}, received by ${webhookName ?? 'a deleted webhook'}`
  if (verification === undefined) return receiver
  const verificationLabel =
    verification?.result === 'valid'
      ? `verified by ${verification.scheme}`
      : (verification?.reason ?? 'not verified')
  return `${receiver}, ${verificationLabel}`
}

export function printDelivery({ webhookName, url, status, attempts, nextAttemptAt }: Delivery): void {
  print(`→ ${sanitize(webhookName)}  ${sanitize(url)}  ${statusLabel(status)}`)
  for (const { attempt, startedAt, durationMs, response, error } of attempts) {
    const outcome = response ? `${response.status}` : (error ?? '')
    print(`  ${attempt}.  ${timeOf(startedAt)}  ${sanitize(outcome)}  ${durationMs} ms`)
  }
  if (status === 'retrying' && nextAttemptAt) print(`  next attempt at ${timeOf(nextAttemptAt)}`)
}

/** Whether a delivery was attempted and has an outcome or a scheduled retry. */
export const isSettled = ({ status, attempts }: Delivery) => status !== 'pending' && attempts.length > 0
