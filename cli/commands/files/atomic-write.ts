import { rmSync } from 'node:fs'
import { lstat, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { EXIT_CODES, Failure } from '../../failure.ts'

/** Temporary files in use: removed when the process ends, unless it is killed. */
const temporaryFiles = new Set<string>()
let isRegistered = false

/** Writes to a temporary file and renames it. Replaces an existing file only if `replace` is set. */
export async function writeAtomically(
  target: string,
  content: AsyncIterable<Uint8Array>,
  { replace }: { replace: boolean },
): Promise<void> {
  removeOnExit()
  const temporary = join(dirname(target), `.atrium-${crypto.randomUUID()}.part`)
  temporaryFiles.add(temporary)
  try {
    const handle = await open(temporary, 'wx')
    try {
      for await (const chunk of content) await handle.writeFile(chunk)
    } finally {
      await handle.close()
    }
    if (!replace && (await exists(target)))
      throw new Failure('failed', `${target} was created during the download`)
    await rename(temporary, target)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  } finally {
    temporaryFiles.delete(temporary)
  }
}

const exists = (path: string) =>
  lstat(path).then(
    () => true,
    () => false,
  )

function removeOnExit(): void {
  if (isRegistered) return
  isRegistered = true
  process.on('exit', () => {
    for (const temporary of temporaryFiles) rmSync(temporary, { force: true })
  })
  for (const signal of ['SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => process.exit(EXIT_CODES.interrupted))
}
