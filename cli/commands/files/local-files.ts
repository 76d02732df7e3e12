import { rmSync } from 'node:fs'
import { lstat, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { EXIT_CODES, Failure } from '../../failure.ts'

const BYTES_MAX = 255
const EXTENSION_BYTES_MAX = 32

/** Path separators on every system, control characters and bidirectional controls. */
const UNSAFE = /[/\\\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu
const UNSAFE_ON_WINDOWS = /[<>:"|?*]/g
const DEVICE_NAME = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?=\.|$)/i

/** Turns any remote name into a valid local name that stays in its folder. */
export function localName(name: string, platform: NodeJS.Platform = process.platform): string {
  const cleaned = name.toWellFormed().replace(UNSAFE, '_')
  const safe = cleaned === '' || /^\.{1,2}$/.test(cleaned) ? cleaned.replaceAll('.', '_') || '_' : cleaned
  return platform === 'win32' ? shorten(forWindows(safe)) : shorten(safe)
}

/** The second `name` becomes `name (2)`. */
export function createNamer(platform: NodeJS.Platform = process.platform): (name: string) => string {
  const usedKeys = new Set<string>()
  const isFree = (name: string) => !usedKeys.has(keyOf(name, platform))
  return (remote) => {
    const preferred = localName(remote, platform)
    let name = preferred
    for (let count = 2; !isFree(name); count++) name = addNumber(preferred, count)
    usedKeys.add(keyOf(name, platform))
    return name
  }
}

/** Windows reserves device names with any extension, and drops trailing dots and spaces. */
function forWindows(name: string): string {
  const trimmed = name.replace(UNSAFE_ON_WINDOWS, '_').replace(/[. ]+$/, (end) => '_'.repeat(end.length))
  return DEVICE_NAME.test(trimmed.replace(/ +(?=\.|$)/, '')) ? `_${trimmed}` : trimmed
}

/** As file systems compare names. */
const keyOf = (name: string, platform: NodeJS.Platform) =>
  platform === 'linux' ? name : name.normalize('NFC').toLowerCase()

function addNumber(name: string, count: number): string {
  const { stem, extension } = splitName(name)
  const suffix = ` (${count})${extension}`
  return truncate(stem, BYTES_MAX - byteLength(suffix)) + suffix
}

/** File systems limit bytes, Atrium limits characters. Keeps the extension. */
function shorten(name: string): string {
  if (byteLength(name) <= BYTES_MAX) return name
  const { stem, extension } = splitName(name)
  return truncate(stem, BYTES_MAX - byteLength(extension)) + extension
}

function splitName(name: string): { stem: string; extension: string } {
  const dot = name.lastIndexOf('.')
  const extension = dot > 0 ? name.slice(dot) : ''
  if (byteLength(extension) > EXTENSION_BYTES_MAX) return { stem: name, extension: '' }
  return { stem: name.slice(0, name.length - extension.length), extension }
}

/** Cuts at a character boundary. */
function truncate(text: string, bytesMax: number): string {
  let result = ''
  let size = 0
  for (const character of text) {
    size += byteLength(character)
    if (size > bytesMax) break
    result += character
  }
  return result
}

const byteLength = (text: string) => Buffer.byteLength(text)

/** Rejects a symbolic link at that path, which could point outside the target folder. */
export async function makeLocalFolder(path: string): Promise<void> {
  await mkdir(path).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
    if (!(await lstat(path)).isDirectory()) throw new Failure('failed', `${path} exists and is not a folder`)
  })
}

export async function makeFoldersBelow(top: string, path: string): Promise<void> {
  let folder = top
  for (const name of relative(top, path).split(sep).filter(Boolean)) {
    folder = join(folder, name)
    await makeLocalFolder(folder)
  }
}

/** Removed when the process ends, unless it is killed. */
const temporaryFiles = new Set<string>()
let isRegistered = false

/** Overwrites only if `replace` is set. */
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
