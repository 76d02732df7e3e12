import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { createSemaphore } from '../concurrency/semaphore.ts'

/** OWASP's recommended argon2id parameters: 19 MiB, two passes. About 50 ms here, on the thread pool. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/**
 * The thread pool also serves files and DNS lookups: sign-ins must not occupy all of it. The queue is bounded: a
 * hundred hashes take about three seconds, and the hash of a client that has disconnected would still be computed.
 */
const hashing = createSemaphore({
  name: 'sign-ins',
  permits: Math.min(2, availableParallelism()),
  waitingPerKeyMax: 30,
  waitingMax: 100,
  waitMs: 10_000,
  retryAfterS: 3,
})

/** `queueKey` is the client, user or organization that waits; hashes of different keys take turns. */
export const hashPassword = (password: string, queueKey: string): Promise<string> =>
  hashing.run(queueKey, () => hash(password.normalize(), PARAMETERS))

/** A missing hash takes as long as a wrong password, so that timing does not reveal whether an account exists. */
export async function verifyPassword(
  stored: string | null,
  password: string,
  queueKey: string,
): Promise<boolean> {
  const matches = await hashing.run(queueKey, async () =>
    verify(stored ?? (await decoy()), password.normalize()),
  )
  return stored !== null && matches
}

let decoyHash: Promise<string> | undefined
const decoy = () => (decoyHash ??= hash('a decoy password', PARAMETERS))
