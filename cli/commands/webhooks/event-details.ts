import { plain, print, style } from '../../terminal.ts'
import type { Story } from './find.ts'

type Delivery = Story['deliveries'][number]

const COLOURS = {
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

export const statusWord = (status: keyof typeof COLOURS) => style(COLOURS[status], status, process.stdout)

export const timeOf = (timestamp: string) => `${timestamp.slice(0, 10)} ${timestamp.slice(11, 19)}Z`

/** From its receipt over the verdict to every attempt at delivering it. */
export function printStory(event: Story): void {
  const { id, type, status, receivedAt, externalId, payload, deliveries } = event
  print(`${style('bold', plain(type), process.stdout)}  ${statusWord(status)}`)
  print(`  id       ${id}`)
  print(`  when     ${timeOf(receivedAt)}`)
  print(`  from     ${plain(fromOf(event))}`)
  if (externalId !== null) print(`  theirs   ${plain(externalId)}`)
  print(`  payload  ${plain(JSON.stringify(payload))}`)
  for (const delivery of deliveries) printDelivery(delivery)
}

function fromOf({ direction, source, webhookName, verification }: Story): string {
  if (direction === 'internal') return 'this Atrium'
  const proof =
    verification?.result === 'valid'
      ? `proved by ${verification.scheme}`
      : (verification?.reason ?? 'unproved')
  return `${source}, received by ${webhookName ?? 'a webhook that is gone'}, ${proof}`
}

export function printDelivery({ webhookName, url, status, attempts, nextAttemptAt }: Delivery): void {
  print(`→ ${plain(webhookName)}  ${plain(url)}  ${statusWord(status)}`)
  for (const { attempt, startedAt, durationMs, response, error } of attempts) {
    const outcome = response ? `${response.status}` : (error ?? '')
    print(`  ${attempt}.  ${timeOf(startedAt)}  ${plain(outcome)}  ${durationMs} ms`)
  }
  if (status === 'retrying' && nextAttemptAt) print(`  again at ${timeOf(nextAttemptAt)}`)
}

/** Whether a delivery was attempted and that was decided on. */
export const isDecided = ({ status, attempts }: Delivery) => status !== 'pending' && attempts.length > 0
