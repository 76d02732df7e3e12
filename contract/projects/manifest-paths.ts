import { FileName, FOLDER_DEPTH_MAX } from '../files/files.ts'

/**
 * A name may be anything in Atrium, even two dots and nothing else. In a manifest such are percent-encoded, so that no
 * file system could take a path for another place.
 */
export const encodePath = (path: string): string => path.split('/').map(encode).join('/')

/** The path as it is in Atrium; null if it is not one that `encodePath` makes. */
export function decodePath(encoded: string): string | null {
  const names = encoded.split('/').map(decode)
  const isSound = names.every((name) => FileName.safeParse(name).success) && names.length <= FOLDER_DEPTH_MAX
  const path = names.join('/')
  return isSound && encodePath(path) === encoded ? path : null
}

/** A name as a step of a path: a slash in it is written as a division sign. */
export const stepOf = (name: string): string => name.replaceAll('/', '\u2215')

const encode = (name: string) => name.replaceAll('%', '%25').replace(/^\.{1,2}$/, dots)
const dots = (text: string) => text.replaceAll('.', '%2E')
const decode = (text: string) => text.replaceAll('%2E', '.').replaceAll('%25', '%')
