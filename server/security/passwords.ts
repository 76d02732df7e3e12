import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { createSemaphore } from '../concurrency/semaphore.ts'
import { leaveTurn } from '../concurrency/turns.ts'

/** OWASP's recommended argon2id parameters: 19 MiB, two passes. About 50 ms here, on the thread pool. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/**
 * Hashes of callers who have proven something (a session, a recognized device, a link in an email) and hashes of anyone
 * else have separate queues and threads: no flood of sign-ins stops a step-up. The thread pool also serves files and DNS
 * lookups, so hashes must not occupy all of it. Each queue is bounded: a hundred hashes take a few seconds, and the hash
 * of a client that has disconnected would still be computed.
 */
const LIMITS = { name: 'sign-ins', waitingPerKeyMax: 30, waitingMax: 100, waitMs: 10_000, retryAfterS: 3 }
const LANES = {
  known: createSemaphore({ ...LIMITS, permits: Math.min(2, availableParallelism()) }),
  anonymous: createSemaphore({ ...LIMITS, permits: 1 }),
}

export interface HashQueue {
  lane: keyof typeof LANES
  /** The client, user or organization that waits; hashes of different keys take turns. */
  key: string
}

export function hashPassword(password: string, { lane, key }: HashQueue): Promise<string> {
  leaveTurn()
  return LANES[lane].run(key, () => hash(password.normalize(), PARAMETERS))
}

/** A missing hash takes as long as a wrong password, so that timing does not reveal whether an account exists. */
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
