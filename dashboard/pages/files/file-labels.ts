import { formatDecimal } from '../../components/amounts.ts'
import type { FileEntry } from './files-queries.ts'

const UNITS = ['bytes', 'KB', 'MB', 'GB'] as const

/** At most three digits and a unit. */
export function formatSize(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 1000 && unit < UNITS.length - 1) {
    value /= 1024
    unit++
  }
  if (unit === 0) return bytes === 1 ? '1 byte' : `${bytes} bytes`
  return `${value < 10 ? formatDecimal(value) : Math.round(value)} ${UNITS[unit]}`
}

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

/** A remaining time in seconds, minutes or hours. */
export function formatRemaining(seconds: number): string {
  if (seconds < 1.5) return '1 s'
  if (seconds < 90) return `${Math.round(seconds)} s`
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`
  return `${Math.round(seconds / 3600)} h`
}
