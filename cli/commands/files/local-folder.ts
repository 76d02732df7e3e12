import { lstat, mkdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { Failure } from '../../failure.ts'

/** Creates a folder. A symbolic link at that path is an error: it could point outside the target folder. */
export async function makeLocalFolder(path: string): Promise<void> {
  await mkdir(path).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
    if (!(await lstat(path)).isDirectory()) throw new Failure('failed', `${path} exists and is not a folder`)
  })
}

/** Creates every folder between an existing one and `path`. */
export async function makeFoldersBelow(top: string, path: string): Promise<void> {
  let folder = top
  for (const name of relative(top, path).split(sep).filter(Boolean)) {
    folder = join(folder, name)
    await makeLocalFolder(folder)
  }
}
