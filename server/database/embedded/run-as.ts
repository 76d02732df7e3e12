import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname } from 'node:path'
import { StartupError } from '../../startup/startup-error.ts'

/** PostgreSQL refuses to run as root, so root must hand its processes to somebody. */
export interface RunAs {
  /** Completes "PostgreSQL must not run as root, and … it cannot enter /folder". */
  words: string
  prefix: string[]
  identity: Partial<Ids>
  /** Whom its files must belong to, as seen from this process. */
  owner: Ids
}

interface Ids {
  uid: number
  gid: number
}

/** Secrets of Atrium's own environment do not belong in a database server; C keeps its log in English. */
export const CHILD_ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
}

const CANNOT_ENTER = 3

/** An ordinary user runs PostgreSQL directly; otherwise the first candidate that this machine allows. */
export function chooseRunAs(folders: string[], candidates?: RunAs[]): RunAs {
  const isRoot = process.geteuid?.() === 0
  if (!candidates && !isRoot && hasName()) return asSelf()
  for (const candidate of candidates ?? possibleRunAs(isRoot)) {
    const entry = tryToEnter(candidate, folders)
    if (entry === 'entered') return candidate
    if (entry === 'not allowed') continue
    throw new StartupError(
      `PostgreSQL must not run as root, and ${candidate.words} it cannot enter ${entry.barred}. ` +
        'Start Atrium as an ordinary user, or move it and ATRIUM_DATA to folders that everybody can enter.',
    )
  }
  throw new StartupError(
    'PostgreSQL needs an ordinary user that is listed in /etc/passwd. ' +
      'Start Atrium as such a user, or set DATABASE_URL to a PostgreSQL of your own.',
  )
}

export function spawnAs(runAs: RunAs, binary: string, args: string[], options: SpawnOptions): ChildProcess {
  const [command = binary, ...rest] = [...runAs.prefix, binary, ...args]
  return spawn(command, rest, { cwd: '/', env: CHILD_ENVIRONMENT, ...runAs.identity, ...options })
}

/** A namespace only renames this process: no other user is needed, and the files stay its own. */
export function inNamespace(): RunAs {
  const { uid, gid } = findUser('nobody') ?? { uid: 65534, gid: 65534 }
  const prefix = ['unshare', '--user', `--map-user=${uid}`, `--map-group=${gid}`]
  return { words: "without root's privileges", prefix, identity: {}, owner: ownIds() }
}

export function asUser(name: string): RunAs | null {
  const ids = findUser(name)
  return ids && { words: `as the user ${name}`, prefix: [], identity: ids, owner: ids }
}

function asSelf(): RunAs {
  return { words: 'as this user', prefix: [], identity: {}, owner: ownIds() }
}

function possibleRunAs(isRoot: boolean): RunAs[] {
  const user = isRoot ? (asUser('postgres') ?? asUser('nobody')) : null
  return user ? [inNamespace(), user] : [inNamespace()]
}

// Trying is the only honest check: modes, groups, access lists and namespaces all have a say.
function tryToEnter(runAs: RunAs, folders: string[]): 'entered' | 'not allowed' | { barred: string } {
  const script = `for folder; do cd "$folder" 2>/dev/null || { printf %s "$folder"; exit ${CANNOT_ENTER}; }; done`
  const [command = '', ...args] = [...runAs.prefix, 'sh', '-c', script, 'sh', ...folders.flatMap(withParents)]
  const { status, stdout } = spawnSync(command, args, { cwd: '/', env: CHILD_ENVIRONMENT, ...runAs.identity })
  if (status === 0) return 'entered'
  return status === CANNOT_ENTER ? { barred: stdout.toString() } : 'not allowed'
}

function withParents(folder: string): string[] {
  const parent = dirname(folder)
  return parent === folder ? [folder] : [...withParents(parent), folder]
}

// initdb looks its user up and gives up on a bare number, such as `docker run --user 12345`.
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
