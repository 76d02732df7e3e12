const BYTES_MAX = 255
const EXTENSION_BYTES_MAX = 32

/** Path separators of every system, control characters and bidirectional controls. */
const UNSAFE = /[/\\\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu
const UNSAFE_ON_WINDOWS = /[<>:"|?*]/g
const DEVICE_NAME = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?=\.|$)/i

/** Turns any remote name into a valid local file name that stays in its folder. */
export function localName(name: string, platform: NodeJS.Platform = process.platform): string {
  const cleaned = name.toWellFormed().replace(UNSAFE, '_')
  const safe = cleaned === '' || /^\.{1,2}$/.test(cleaned) ? cleaned.replaceAll('.', '_') || '_' : cleaned
  return platform === 'win32' ? shorten(forWindows(safe)) : shorten(safe)
}

/** Makes names unique within one folder: the second `name` becomes `name (2)`. */
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

/** The form in which file systems compare names. */
const keyOf = (name: string, platform: NodeJS.Platform) =>
  platform === 'linux' ? name : name.normalize('NFC').toLowerCase()

function addNumber(name: string, count: number): string {
  const { stem, extension } = splitName(name)
  const suffix = ` (${count})${extension}`
  return truncate(stem, BYTES_MAX - byteLength(suffix)) + suffix
}

/** File systems limit bytes, Atrium limits characters. The extension is preserved. */
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
