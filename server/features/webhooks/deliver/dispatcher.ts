import type { Logger } from 'pino'
import type { JobContext } from '../../../context.ts'
import type { Pool } from '../../../database/database.ts'
import { DELIVERIES_CHANNEL } from '../../../events/publish.ts'
import { deliver } from './deliver.ts'
import { type Claimed, claimDeliveries } from './delivery-queries.ts'

/** Requests wait for others most of the time, so many can be under way; of one webhook only so many. */
const IN_HAND_MAX = 300
/** An address where nothing gets through takes longest to say so: it has to show that it works before it gets more. */
const PER_WEBHOOK_MAX = { working: 10, failing: 2 }
const CLAIM_MAX = 50
/** Longer than any attempt can take: whoever has a delivery in hand has answered by then, or is dead. */
const IN_HAND_MS = 30_000
/** Hands that become free are filled together: to look costs as much for one as for many. */
const FREE_HANDS_MS = 5
/** For what becomes due by time, and for words that were lost. */
const LOOK_EVERY_MS = 1000

export interface DispatcherOptions {
  pool: Pool
  context: () => JobContext
  log: Logger
}

/** Delivers what is due, as soon as it is, until stopped; any number of processes may do so beside each other. */
export async function startDispatcher({ pool, context, log }: DispatcherOptions) {
  const inHand = new Map<Promise<void>, string>()
  let looking: Promise<void> | undefined
  let wasWoken = false
  let soon: NodeJS.Timeout | undefined
  let isStopped = false

  const take = (delivery: Claimed) => {
    const work = deliver(context(), delivery)
      .catch((err: unknown) => log.error({ err, delivery: delivery.id }, 'a delivery could not be attempted'))
      .then(() => {
        inHand.delete(work)
        soon ??= setTimeout(look, FREE_HANDS_MS)
      })
    inHand.set(work, delivery.webhookId)
  }

  /** Whether there may be more to take up. */
  const claim = async (): Promise<boolean> => {
    const limit = Math.min(CLAIM_MAX, IN_HAND_MAX - inHand.size)
    if (limit === 0) return false
    const now = context().now()
    const until = new Date(now.getTime() + IN_HAND_MS)
    const busy = countsOf(inHand.values())
    const claimed = await claimDeliveries(pool, { busy, perWebhook: PER_WEBHOOK_MAX, limit, now, until })
    for (const delivery of claimed) take(delivery)
    return claimed.length === limit
  }

  const lookOn = async (): Promise<void> => {
    try {
      while (wasWoken && !isStopped) {
        wasWoken = false
        if (await claim()) wasWoken = true
      }
    } catch (err) {
      log.warn({ err }, 'could not look for deliveries')
    }
  }

  /** One look at a time; a word that comes meanwhile makes for another. */
  const look = (): void => {
    clearTimeout(soon)
    soon = undefined
    wasWoken = true
    looking ??= lookOn().finally(() => {
      looking = undefined
      if (wasWoken && !isStopped) look()
    })
  }

  const listening = await pool.listen(DELIVERIES_CHANNEL, look, look)
  const timer = setInterval(look, LOOK_EVERY_MS)

  return {
    /** Lets what is in hand finish. */
    async stop() {
      isStopped = true
      clearInterval(timer)
      await listening.unlisten()
      await looking
      await Promise.all(inHand.keys())
      clearTimeout(soon)
    },
  }
}

function countsOf(webhookIds: Iterable<string>) {
  const counts = new Map<string, number>()
  for (const id of webhookIds) counts.set(id, (counts.get(id) ?? 0) + 1)
  return { ids: [...counts.keys()], counts: [...counts.values()] }
}
