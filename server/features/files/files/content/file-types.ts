import { dictionary } from '../../../../../contract/dictionary.ts'
import { ApiError, badField } from '../../../../errors.ts'
import { ALIASES, ALLOWED, type AllowedType, BY_EXTENSION, EXECUTABLE_EXTENSIONS } from './allowed-types.ts'
import { createTextValidator } from './text-encoding.ts'

export const HEAD_BYTES = 8192
/** Some programs write a few lines before the PDF signature. */
const PDF_SIGNATURE_WITHIN = 1024

/** `field` is the path in errors: `body.mimeType` for a declared type, `body.file` for a form's file. */
export interface DeclaredContent {
  name: string
  declared: AllowedType | null
  field: string
}

export function declaredType(contentType: string, name: string, field: string): AllowedType | null {
  const extension = fileExtension(name)
  if (EXECUTABLE_EXTENSIONS.has(extension)) throw badField(field, 'is an executable, which is not allowed')
  const plain = contentType.split(';', 1)[0]!.trim().toLowerCase()
  if (plain === '' || plain === 'application/octet-stream') return null
  const mimeType = ALIASES[plain] ?? plain
  // Operating systems map TypeScript to video and CSV to Excel.
  if (MISTAKEN[extension] === mimeType) return BY_EXTENSION.get(extension)!
  const allowed = ALLOWED.get(mimeType)
  if (allowed) return allowed
  if (SOURCE_CODE.test(mimeType)) return { mimeType, extensions: [], detectedAs: null }
  throw badField(field, `has the type ${plain.slice(0, 100)}, which is not allowed`)
}

export const isTextType = (mimeType: string): boolean =>
  ALLOWED.get(mimeType)?.detectedAs === null || SOURCE_CODE.test(mimeType)

const SOURCE_CODE = /^text\/x-[a-z0-9.+-]+$/

const MISTAKEN: Record<string, string | undefined> = dictionary({
  ts: 'video/mp2t',
  csv: 'application/vnd.ms-excel',
})

export async function resolveType(
  { declared, name, field }: DeclaredContent,
  head: Buffer,
): Promise<AllowedType> {
  const byExtension = BY_EXTENSION.get(fileExtension(name))
  if (head.length === 0) return declared ?? byExtension ?? PLAIN_TEXT
  const detected = await detectType(head)
  if (detected && EXECUTABLES.has(detected)) throw badField(field, 'is an executable, which is not allowed')
  const candidates = declared
    ? [declared]
    : [byExtension, ALLOWED.get(ALIASES[detected] ?? detected), PLAIN_TEXT]
  const found = candidates.find((candidate) => candidate && fits(candidate, detected))
  if (found) return found
  if (declared) throw contradiction(field, declared, detected)
  throw badField(field, `is ${detected}, which is not allowed`)
}

/** The message stands alone on screen, and `details` names the field. */
function contradiction(field: string, { mimeType, extensions, detectedAs }: AllowedType, detected: string) {
  const format = detectedAs === null ? 'text file' : (extensions[0]?.toUpperCase() ?? mimeType)
  const problem = `not a valid ${format}${detected === UNKNOWN ? '' : ` (detected ${detected})`}`
  const details = [{ path: field, message: `is ${problem}` }]
  return new ApiError('BAD_REQUEST', problem.replace(/^n/, 'N'), { details })
}

const fits = ({ detectedAs }: AllowedType, detected: string) =>
  detectedAs ? detectedAs.includes(detected) : detected === TEXT

/** In lower case without the dot. `.gitignore` is all extension. */
export const fileExtension = (name: string): string => /\.([^.\s]+)\s*$/.exec(name)?.[1]?.toLowerCase() ?? ''

const TEXT = 'text'
const UNKNOWN = 'of an unknown type'

/** The rest is validated while it streams. */
async function detectType(head: Buffer): Promise<string> {
  // Loaded on the first upload, to keep startup fast.
  const { fileTypeFromBuffer } = await import('file-type')
  const signature = (await fileTypeFromBuffer(head).catch(() => undefined))?.mime
  // Text may begin with a binary signature, but real binary files contain NUL bytes.
  if (!(signature && TEXT_BASED.has(signature)) && createTextValidator().accepts(head)) return TEXT
  return signature ?? (head.subarray(0, PDF_SIGNATURE_WITHIN).includes('%PDF-') ? 'application/pdf' : UNKNOWN)
}

const PLAIN_TEXT = ALLOWED.get('text/plain')!

const TEXT_BASED = new Set([
  'application/pdf',
  'application/rtf',
  'application/postscript',
  'application/eps',
])

const EXECUTABLES = new Set([
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
