import type { CliEnvironment } from '../../config.ts'
import { connect } from '../../connect.ts'
import { EXIT_CODES, Failure } from '../../failure.ts'
import { openPage, type PageOptions, pollFor, shouldWait } from '../../page.ts'
import { printData } from '../../terminal.ts'
import { isSettled, printDelivery } from './event-details.ts'
import { findEvent, readEvent } from './find.ts'
import { requireAdmin } from './require-admin.ts'

/** Opens the page that retries failed deliveries, and prints the outcome. */
export async function retryEvent(
  ref: string,
  options: PageOptions,
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  await requireAdmin(connection)
  const { id, deliveries } = await findEvent(connection, ref)
  const failedAttempts = new Map(
    deliveries.filter(({ status }) => status === 'failed').map((delivery) => [delivery.id, delivery.attempt]),
  )
  if (failedAttempts.size === 0) throw new Failure('failed', 'This event has no failed deliveries')
  const pageUrl = openPage(
    connection,
    { path: `webhooks/events/${id}`, action: 'Retry failed deliveries' },
    options,
  )
  if (!shouldWait(options)) return options.json ? printData({ address: pageUrl }) : undefined

  const retried = await pollFor(pageUrl, async () => {
    const { deliveries: allDeliveries } = await readEvent(connection, id)
    const current = allDeliveries.filter((delivery) => failedAttempts.has(delivery.id))
    const retriedDeliveries = current.filter(({ id, attempt }) => attempt > failedAttempts.get(id)!)
    const isFinished = retriedDeliveries.length > 0 && current.every(isSettled)
    return isFinished ? retriedDeliveries : null
  })
  if (options.json) printData({ address: pageUrl, deliveries: retried })
  else retried.forEach(printDelivery)
  if (retried.some(({ status }) => status !== 'succeeded')) process.exitCode = EXIT_CODES.failed
}
