import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { createSemaphore } from '../concurrency/semaphore.ts'

/** OWASP's recommended argon2id parameters: 19 MiB, two passes. About 50 ms here, on the thread pool. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/**
 * The thread pool also serves files and DNS lookups: sign-ins must not occupy all of it. The wait is bounded: a hundred
 * take about three seconds, and a client that waits longer disconnects while its work is still done.
 */
const hashing = createSemaphore({
  name: 'sign-ins',
  permits: Math.min(2, availableParallelism()),
  waitingPerKeyMax: 30,
  waitingMax: 100,
  retryAfterS: 3,
})

/** `turn` is the client, the user or the organization that waits: each has its turn before any has a second one. */
export const hashPassword = (password: string, turn: string): Promise<string> =>
  hashing.run(turn, () => hash(password.normalize(), PARAMETERS))

/** A missing hash takes as long as a wrong password, so that timing does not reveal whether an account exists. */
export async function verifyPassword(
  stored: string | null,
  password: string,
  turn: string,
): Promise<boolean> {
  const matches = await hashing.run(turn, async () => verify(stored ?? (await decoy()), password.normalize()))
  return stored !== null && matches
}

let decoyHash: Promise<string> | undefined
const decoy = () => (decoyHash ??= hash('a decoy password', PARAMETERS))
