import { FileName, FOLDER_DEPTH_MAX } from '../files/files.ts'

/**
 * Encodes a path for a manifest. File names in Atrium are unrestricted, even `..`; percent-encoding prevents a path that
 * escapes its folder on a file system.
 */
export const encodePath = (path: string): string => path.split('/').map(encode).join('/')

/** The inverse of `encodePath`; null if the input is not a result of it. */
export function decodePath(encoded: string): string | null {
  const names = encoded.split('/').map(decode)
  const isValid = names.every((name) => FileName.safeParse(name).success) && names.length <= FOLDER_DEPTH_MAX
  const path = names.join('/')
  return isValid && encodePath(path) === encoded ? path : null
}

/** A file name as a segment of a path: replaces `/` with a division slash. */
export const segmentOf = (name: string): string => name.replaceAll('/', '\u2215')

const encode = (name: string) => name.replaceAll('%', '%25').replace(/^\.{1,2}$/, dots)
const dots = (text: string) => text.replaceAll('.', '%2E')
const decode = (text: string) => text.replaceAll('%2E', '.').replaceAll('%25', '%')
