import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { createSemaphore } from '../concurrency/semaphore.ts'
import { leaveTurn } from '../concurrency/turns.ts'

/** OWASP's argon2id recommendation: 19 MiB, two passes. About 50 ms on the thread pool. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/**
 * Callers who have proven something (a session, recognized device or emailed link) have their own lane, so a sign-in
 * flood never stops a step-up. Hashes must not fill the thread pool, which also serves files and DNS. Queues are
 * bounded: a hundred hashes take a few seconds, and run even if the client disconnects.
 */
const LIMITS = { name: 'sign-ins', waitingPerKeyMax: 30, waitingMax: 100, waitMs: 10_000, retryAfterS: 3 }
const LANES = {
  known: createSemaphore({ ...LIMITS, permits: Math.min(2, availableParallelism()) }),
  anonymous: createSemaphore({ ...LIMITS, permits: 1 }),
}

export interface HashQueue {
  lane: keyof typeof LANES
  /** Client, user or organization. Different keys take turns. */
  key: string
}

export function hashPassword(password: string, { lane, key }: HashQueue): Promise<string> {
  leaveTurn()
  return LANES[lane].run(key, () => hash(password.normalize(), PARAMETERS))
}

/** A missing hash takes as long, so timing doesn't reveal whether an account exists. */
export async function verifyPassword(
  stored: string | null,
  password: string,
  { lane, key }: HashQueue,
): Promise<boolean> {
  leaveTurn()
  const matches = await LANES[lane].run(key, async () =>
    verify(stored ?? (await decoy()), password.normalize()),
  )
  return stored !== null && matches
}

let decoyHash: Promise<string> | undefined
const decoy = () => (decoyHash ??= hash('a decoy password', PARAMETERS))
