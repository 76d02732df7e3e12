import { badField } from '../../../errors.ts'
import { ALIASES, ALLOWED, type AllowedType, BY_EXTENSION, PROGRAM_EXTENSIONS } from './allowed-types.ts'
import { createTextValidator } from './text-check.ts'

/** As many bytes from the beginning as it takes to recognise what a file is. */
export const HEAD_BYTES = 8192
/** Some programs put a few lines before the mark of a PDF. */
const PDF_MARK_WITHIN = 1024

/** Where a complaint points: `body.mimeType` where a type was announced, `body.file` for the file of a form. */
export interface DeclaredContent {
  name: string
  /** What the sender says it is; null if they do not say. */
  declared: AllowedType | null
  field: string
}

/** The allowed type behind a declared one; null where nothing is said. Refuses what is not allowed, or a program by its name. */
export function declaredType(given: string, name: string, field: string): AllowedType | null {
  const ending = extensionOf(name)
  if (PROGRAM_EXTENSIONS.has(ending)) throw badField(field, 'is a program, which cannot be stored')
  const plain = given.split(';', 1)[0]!.trim().toLowerCase()
  if (plain === '' || plain === 'application/octet-stream') return null
  const mimeType = ALIASES[plain] ?? plain
  // Systems that know these endings from elsewhere announce TypeScript as film and tables as workbooks.
  if (MISTAKEN[ending] === mimeType) return BY_EXTENSION.get(ending)!
  const found = ALLOWED.get(mimeType)
  if (found) return found
  // The names of source code are without number, and all mean text.
  if (/^text\/x-[a-z0-9.+-]+$/.test(mimeType)) return { mimeType, extensions: [], detectedAs: null }
  throw badField(field, `has the type ${plain.slice(0, 100)}, which cannot be stored`)
}

const MISTAKEN: Record<string, string | undefined> = { ts: 'video/mp2t', csv: 'application/vnd.ms-excel' }

/** What a file is, by what it says, how it begins and what it is called; refuses content that contradicts. */
export async function resolveType(
  { declared, name, field }: DeclaredContent,
  head: Buffer,
): Promise<AllowedType> {
  const byName = BY_EXTENSION.get(extensionOf(name))
  if (head.length === 0) return declared ?? byName ?? PLAIN
  const seen = await detectType(head)
  if (seen && PROGRAMS.has(seen)) throw badField(field, 'is a program, which cannot be stored')
  const candidates = declared ? [declared] : [byName, ALLOWED.get(ALIASES[seen] ?? seen), PLAIN]
  const found = candidates.find((candidate) => candidate && fits(candidate, seen))
  if (found) return found
  const what = seen === UNKNOWN ? 'something else' : seen
  throw badField(
    field,
    declared ? `must hold ${declared.mimeType}, not ${what}` : `is ${seen}, which cannot be stored`,
  )
}

const fits = ({ detectedAs }: AllowedType, seen: string) =>
  detectedAs ? detectedAs.includes(seen) : seen === TEXT

/** Lower-cased, without the dot; a name such as `.gitignore` is all ending. */
export const extensionOf = (name: string): string => /\.([^.\s]+)\s*$/.exec(name)?.[1]?.toLowerCase() ?? ''

const TEXT = 'text'
const UNKNOWN = 'of an unknown type'

/** What the beginning gives away. The rest of a text is looked at as it passes. */
async function detectType(head: Buffer): Promise<string> {
  // Loaded with the first upload: a start should not wait for it.
  const { fileTypeFromBuffer } = await import('file-type')
  const mark = (await fileTypeFromBuffer(head).catch(() => undefined))?.mime
  // Text may well begin with letters that are the mark of something else, whose real files are never free of NULs.
  if (!(mark && WRITTEN_IN_TEXT.has(mark)) && createTextValidator().accepts(head)) return TEXT
  return mark ?? (head.subarray(0, PDF_MARK_WITHIN).includes('%PDF-') ? 'application/pdf' : UNKNOWN)
}

const PLAIN = ALLOWED.get('text/plain')!

/** Formats whose files can be free of anything but letters, and yet are not meant to be read as text. */
const WRITTEN_IN_TEXT = new Set([
  'application/pdf',
  'application/rtf',
  'application/postscript',
  'application/eps',
])

const PROGRAMS = new Set([
  'application/x-msdownload',
  'application/x-elf',
  'application/x-mach-binary',
  'application/java-vm',
  'application/java-archive',
  'application/wasm',
  'application/x-shockwave-flash',
  'application/vnd.android.package-archive',
  'application/x-deb',
  'application/x-rpm',
  'application/x-google-chrome-extension',
  'application/x-xpinstall',
  'application/x.ms.shortcut',
  'application/x.apple.alias',
])
