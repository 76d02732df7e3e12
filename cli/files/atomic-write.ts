import { rmSync } from 'node:fs'
import { lstat, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { EXIT_CODES, Failure } from '../failure.ts'

/** Drafts that exist at this moment: however the process ends, short of being killed, it leaves none behind. */
const drafts = new Set<string>()
let isWatching = false

/** Writes a file whole or not at all: under another name first. Nothing is replaced unless that is wished. */
export async function writeWhole(
  target: string,
  content: AsyncIterable<Uint8Array>,
  { replace }: { replace: boolean },
): Promise<void> {
  watch()
  const draft = join(dirname(target), `.atrium-${crypto.randomUUID()}.part`)
  drafts.add(draft)
  try {
    const handle = await open(draft, 'wx')
    try {
      for await (const chunk of content) await handle.writeFile(chunk)
    } finally {
      await handle.close()
    }
    if (!replace && (await isThere(target))) throw new Failure('failed', `${target} has come to be meanwhile`)
    await rename(draft, target)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  } finally {
    drafts.delete(draft)
  }
}

const isThere = (path: string) =>
  lstat(path).then(
    () => true,
    () => false,
  )

function watch(): void {
  if (isWatching) return
  isWatching = true
  process.on('exit', () => {
    for (const draft of drafts) rmSync(draft, { force: true })
  })
  for (const signal of ['SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => process.exit(EXIT_CODES.interrupted))
}
