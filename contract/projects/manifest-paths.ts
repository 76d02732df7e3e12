import { FileName, FOLDER_DEPTH_MAX } from '../files/files.ts'

/** File names are unrestricted, even `..`; percent-encoding keeps a path from escaping its folder. */
export const encodePath = (path: string): string => path.split('/').map(encode).join('/')

/** Returns null unless `encodePath` could have produced the input. */
export function decodePath(encoded: string): string | null {
  const names = encoded.split('/').map(decode)
  const isValid = names.every((name) => FileName.safeParse(name).success) && names.length <= FOLDER_DEPTH_MAX
  const path = names.join('/')
  return isValid && encodePath(path) === encoded ? path : null
}

export const toPathSegment = (name: string): string => name.replaceAll('/', '\u2215')

const encode = (name: string) => name.replaceAll('%', '%25').replace(/^\.{1,2}$/, dots)
const dots = (text: string) => text.replaceAll('.', '%2E')
const decode = (text: string) => text.replaceAll('%2E', '.').replaceAll('%25', '%')
