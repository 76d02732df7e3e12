import { setTimeout as sleep } from 'node:timers/promises'

const POLL_MS = 100

/** Waits until a condition is true; an error counts as "not yet". Throws after the time limit, with the last error. */
export async function until(
  description: string,
  isTrue: () => Promise<boolean> | boolean,
  seconds = 60,
): Promise<void> {
  const end = performance.now() + seconds * 1000
  let lastError: unknown
  while (performance.now() < end) {
    try {
      if (await isTrue()) return
    } catch (error) {
      lastError = error
    }
    await sleep(POLL_MS)
  }
  throw new Error(`Waited ${seconds} s until ${description}`, { cause: lastError })
}
