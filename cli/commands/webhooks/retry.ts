import type { Surroundings } from '../../config.ts'
import { connect } from '../../connect.ts'
import { EXIT_CODES, Failure } from '../../failure.ts'
import { printData } from '../../terminal.ts'
import { isDecided, printDelivery } from './event-details.ts'
import { findEvent, readEvent } from './find.ts'
import { type PageOptions, showPage, waitFor } from './page.ts'

/** Opens the page of an event, on which what failed is retried, and shows what became of that. */
export async function retryEvent(which: string, options: PageOptions, around: Surroundings): Promise<void> {
  const connection = await connect(options.server, around)
  const { id, deliveries } = await findEvent(connection, which)
  const failed = new Map(
    deliveries.filter(({ status }) => status === 'failed').map((one) => [one.id, one.attempt]),
  )
  if (failed.size === 0) throw new Failure('failed', 'Nothing of this event failed')
  const address = showPage(connection, { path: `webhooks/events/${id}`, act: 'Retry what failed' }, options)
  if (options.wait === false) return options.json ? printData({ address }) : undefined

  const retried = await waitFor(address, async () => {
    const now = (await readEvent(connection, id)).deliveries.filter((one) => failed.has(one.id))
    const again = now.filter((one) => one.attempt > failed.get(one.id)!)
    const isOver = again.length > 0 && now.every(isDecided)
    return isOver ? again : null
  })
  if (options.json) printData({ address, deliveries: retried })
  else retried.forEach(printDelivery)
  if (retried.some(({ status }) => status !== 'succeeded')) process.exitCode = EXIT_CODES.failed
}
