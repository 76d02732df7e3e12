import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { createSemaphore } from '../concurrency/semaphore.ts'

/** OWASP's recommended argon2id parameters: 19 MiB, two passes. About 50 ms here, on the thread pool. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** The thread pool also serves files and DNS lookups: sign-ins must not occupy all of it. */
const hashing = createSemaphore({ name: 'sign-ins', permits: Math.min(2, availableParallelism()) })

export const hashPassword = (password: string): Promise<string> =>
  hashing.run('all', () => hash(password.normalize(), PARAMETERS))

/** A missing hash takes as long as a wrong password, so that timing does not reveal whether an account exists. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const matches = await hashing.run('all', async () =>
    verify(stored ?? (await decoy()), password.normalize()),
  )
  return stored !== null && matches
}

let decoyHash: Promise<string> | undefined
const decoy = () => (decoyHash ??= hash('a decoy password', PARAMETERS))
