import type { CliEnvironment } from '../../config.ts'
import { connect } from '../../connect.ts'
import { EXIT_CODES, Failure } from '../../failure.ts'
import { printData } from '../../terminal.ts'
import { isDecided, printDelivery } from './event-details.ts'
import { findEvent, readEvent } from './find.ts'
import { openPage, type PageOptions, pollFor } from './page.ts'

/** Opens the page that retries failed deliveries, and prints the outcome. */
export async function retryEvent(
  which: string,
  options: PageOptions,
  environment: CliEnvironment,
): Promise<void> {
  const connection = await connect(options.server, environment)
  const { id, deliveries } = await findEvent(connection, which)
  const failed = new Map(
    deliveries.filter(({ status }) => status === 'failed').map((one) => [one.id, one.attempt]),
  )
  if (failed.size === 0) throw new Failure('failed', 'This event has no failed deliveries')
  const pageUrl = openPage(
    connection,
    { path: `webhooks/events/${id}`, action: 'Retry failed deliveries' },
    options,
  )
  if (options.wait === false) return options.json ? printData({ address: pageUrl }) : undefined

  const retried = await pollFor(pageUrl, async () => {
    const now = (await readEvent(connection, id)).deliveries.filter((one) => failed.has(one.id))
    const again = now.filter((one) => one.attempt > failed.get(one.id)!)
    const isOver = again.length > 0 && now.every(isDecided)
    return isOver ? again : null
  })
  if (options.json) printData({ address: pageUrl, deliveries: retried })
  else retried.forEach(printDelivery)
  if (retried.some(({ status }) => status !== 'succeeded')) process.exitCode = EXIT_CODES.failed
}
