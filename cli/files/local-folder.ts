import { lstat, mkdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { Failure } from '../failure.ts'

/** A link in its place is not followed: it could lead out of the folder that was named. */
export async function makeLocalFolder(path: string): Promise<void> {
  await mkdir(path).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
    if (!(await lstat(path)).isDirectory())
      throw new Failure('failed', `${path} is there already, and not a folder`)
  })
}

/** The same for every folder on the way down from one that is there. */
export async function makeFoldersBelow(top: string, path: string): Promise<void> {
  let at = top
  for (const name of relative(top, path).split(sep).filter(Boolean)) {
    at = join(at, name)
    await makeLocalFolder(at)
  }
}
