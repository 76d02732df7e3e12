import type { Endpoint } from '../../contract/endpoint.ts'
import { createSemaphore } from '../concurrency/semaphore.ts'
import type { Pool, Sql } from '../database/database.ts'
import { countWaitingQueries, forOrganization } from '../database/fair-pool.ts'
import type { Pools } from '../database/pools.ts'
import type { StandbyReads } from '../database/standby/standby.ts'
import { Busy } from '../errors.ts'
import { clientNetwork } from '../security/client-network.ts'
import type { Call } from './call.ts'

/** Per organization. Above this, its next call is refused. */
const WAITING_QUERIES_MAX = 2_000

const HEAVY_CALLS = { permits: 4, permitsPerKey: 2, waitingPerKeyMax: 40, waitingMax: 400, waitMs: 30_000 }

/** Organizations take turns for connections, and for calls the contract declares `heavy`. */
export function createScheduler(
  { requests, heavy, access }: Pick<Pools, 'requests' | 'heavy' | 'access'>,
  standby: StandbyReads | null = null,
) {
  const heavyCalls = createSemaphore({ name: 'calls of this kind', ...HEAVY_CALLS })
  return {
    /** For one short statement in a call, which may be part of a transaction. */
    sqlFor: (call: Call): Pool => forOrganization(call.sql ? access : requests, keyOf(call)),
    sqlOf: (orgId: string): Pool => forOrganization(requests, orgId),
    async run<T>(call: Call, endpoint: Endpoint, task: (sql: Sql) => Promise<T>): Promise<T> {
      const key = keyOf(call)
      const read = endpoint.standby && standby ? await standby.run(key, task) : null
      if (read) return read.value
      if (endpoint.heavy) return heavyCalls.run(key, () => task(forOrganization(heavy, key)), call.signal)
      if (countWaitingQueries(requests, key) >= WAITING_QUERIES_MAX) throw tooManyRequests()
      return task(forOrganization(requests, key))
    },
  }
}

/** A caller without an organization takes turns by IP address. */
const keyOf = ({ caller, origin }: Call): string => caller?.orgId ?? `ip ${clientNetwork(origin.ip)}`

const tooManyRequests = () =>
  new Busy('RATE_LIMITED', 'Too many requests are running: try again in a moment', 1)
