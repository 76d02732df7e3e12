import type { Sql } from '../../../../database/database.ts'
import { findProvider } from '../provider/provider-queries.ts'
import { type Charge, findCover } from './coverage.ts'
import { type Holders, listCandidates } from './mandate-queries.ts'

type RequestedPayment = Pick<Charge, 'amount' | 'currency' | 'payee'> & {
  method?: Charge['method'] | undefined
  mandateId?: string | undefined
}

/**
 * Whether a mandate covers a payment that a run is about to make, as far as this is known before: the payment checks it
 * again, with the mandate locked.
 */
export async function isCovered(
  sql: Sql,
  run: Holders & { trust: string },
  { method, mandateId, ...charge }: RequestedPayment,
  now: Date,
): Promise<boolean> {
  if (run.trust !== 'trusted') return false
  const chosen = method ?? ((await findProvider(sql, run.orgId)) ? 'stripe' : 'record')
  const candidates = await listCandidates(sql, run, { mandateId, now, lock: false })
  return 'mandate' in findCover(candidates, run, { ...charge, method: chosen }, now)
}
