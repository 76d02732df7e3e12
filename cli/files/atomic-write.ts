import { rmSync } from 'node:fs'
import { lstat, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { EXIT_CODES, Failure } from '../failure.ts'

/** Temporary files in use: removed when the process ends, unless it is killed. */
const drafts = new Set<string>()
let isWatching = false

/** Writes to a temporary file and renames it. Replaces an existing file only if `replace` is set. */
export async function writeAtomically(
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
    if (!replace && (await isThere(target)))
      throw new Failure('failed', `${target} was created during the download`)
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
