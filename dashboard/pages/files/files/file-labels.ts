import type { FileEntry } from './files-queries.ts'

/** A name as it is shown: in quotation marks if it consists of spaces and invisible characters. */
export const nameLabel = (name: string) => (/^[\s\p{Cf}]*$/u.test(name) ? `“${name}”` : name)

/** The name of one file, or the number of several. */
export const nameOrCount = (files: readonly Pick<FileEntry, 'name'>[]) =>
  files.length === 1 ? nameLabel(files[0]!.name) : `${files.length.toLocaleString('en')} items`

/** The index of the extension; renaming selects the part before it. */
export function extensionStart(name: string): number {
  const dot = name.lastIndexOf('.')
  return dot > 0 ? dot : name.length
}

/** The name of a copy in the same folder. */
export function copyName(name: string): string {
  const end = extensionStart(name)
  return `${name.slice(0, end)} (copy)${name.slice(end)}`
}
