import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname } from 'node:path'
import { StartupError } from '../../errors.ts'

/** PostgreSQL refuses to run as root, so root must run it as another user. */
export interface RunAs {
  /** Completes "PostgreSQL must not run as root, and … it cannot enter /folder". */
  phrase: string
  prefix: string[]
  identity: Partial<Ids>
  /** The owner its files must have, as seen from this process. */
  owner: Ids
}

interface Ids {
  uid: number
  gid: number
}

/** Without Atrium's own variables, which hold secrets. The C locale keeps the log in English. */
export const CHILD_ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
}

const CANNOT_ENTER = 3

/** A non-root user runs PostgreSQL directly. Otherwise the first candidate this machine permits. */
export function chooseRunAs(folders: string[], candidates?: RunAs[]): RunAs {
  const isRoot = process.geteuid?.() === 0
  if (!candidates && !isRoot && hasName()) return asSelf()
  for (const candidate of candidates ?? possibleRunAs(isRoot)) {
    const entry = tryToEnter(candidate, folders)
    if (entry === 'entered') return candidate
    if (entry === 'not allowed') continue
    throw new StartupError(
      `PostgreSQL must not run as root, and ${candidate.phrase} it cannot enter ${entry.forbidden}. ` +
        'Start Atrium as a non-root user, or move it and ATRIUM_DATA to folders that every user can enter.',
    )
  }
  throw new StartupError(
    'PostgreSQL needs a non-root user with an entry in /etc/passwd. ' +
      'Start Atrium as such a user, or set DATABASE_URL to an external PostgreSQL.',
  )
}

export function spawnAs(runAs: RunAs, binary: string, args: string[], options: SpawnOptions): ChildProcess {
  const [command = binary, ...rest] = [...runAs.prefix, binary, ...args]
  return spawn(command, rest, { cwd: '/', env: CHILD_ENVIRONMENT, ...runAs.identity, ...options })
}

/** Only maps this process's ids: no other user is needed, and files keep their owner. */
export function inNamespace(): RunAs {
  const { uid, gid } = findUser('nobody') ?? { uid: 65534, gid: 65534 }
  const prefix = ['unshare', '--user', `--map-user=${uid}`, `--map-group=${gid}`]
  return { phrase: "without root's privileges", prefix, identity: {}, owner: ownIds() }
}

export function asUser(name: string): RunAs | null {
  const ids = findUser(name)
  return ids && { phrase: `as the user ${name}`, prefix: [], identity: ids, owner: ids }
}

function asSelf(): RunAs {
  return { phrase: 'as this user', prefix: [], identity: {}, owner: ownIds() }
}

function possibleRunAs(isRoot: boolean): RunAs[] {
  const user = isRoot ? (asUser('postgres') ?? asUser('nobody')) : null
  return user ? [inNamespace(), user] : [inNamespace()]
}

// Only an attempt is reliable: modes, groups, access lists and namespaces all matter.
function tryToEnter(runAs: RunAs, folders: string[]): 'entered' | 'not allowed' | { forbidden: string } {
  const script = `for folder; do cd "$folder" 2>/dev/null || { printf %s "$folder"; exit ${CANNOT_ENTER}; }; done`
  const [command = '', ...args] = [...runAs.prefix, 'sh', '-c', script, 'sh', ...folders.flatMap(withParents)]
  const { status, stdout } = spawnSync(command, args, { cwd: '/', env: CHILD_ENVIRONMENT, ...runAs.identity })
  if (status === 0) return 'entered'
  return status === CANNOT_ENTER ? { forbidden: stdout.toString() } : 'not allowed'
}

function withParents(folder: string): string[] {
  const parent = dirname(folder)
  return parent === folder ? [folder] : [...withParents(parent), folder]
}

// initdb looks up its user's name and fails without one, as with `docker run --user 12345`.
function hasName(): boolean {
  try {
    return userInfo().username !== ''
  } catch {
    return false
  }
}

function findUser(name: string): Ids | null {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(':') ?? []
  return uid && gid ? { uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 } : null
}

function ownIds(): Ids {
  return { uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0 }
}
