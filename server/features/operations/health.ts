import { statfs } from 'node:fs/promises'
import type { Context } from '../../context.ts'
import { readCounts } from './health-queries.ts'

/** A store that does not respond by then counts as unavailable: the page must not wait for it. */
const PING_MS = 2000

/** Queue, mail, storage and disk. For operators. */
export async function readHealth({ sql, objects, mail, now }: Context, dataFolder: string) {
  const [counts, available, disk] = await Promise.all([
    readCounts(sql, now()),
    isAvailable(objects.ping()),
    diskOf(dataFolder),
  ])
  const { unsent, openFeedback, ...jobs } = counts
  return {
    jobs,
    mail: { configured: mail.canSend, unsent },
    storage: { description: objects.description, available },
    disk,
    openFeedback,
  }
}

async function isAvailable(ping: Promise<void>): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => resolve(false), PING_MS)
  ping.then(
    () => resolve(true),
    () => resolve(false),
  )
  try {
    return await promise
  } finally {
    clearTimeout(timer)
  }
}

/** What this process may still write; null if the system does not report it. */
async function diskOf(folder: string) {
  try {
    const { bavail, blocks, bsize } = await statfs(folder)
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
  } catch {
    return null
  }
}
