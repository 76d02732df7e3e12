import { cut } from '../../../database/name-keys.ts'

const NAME_POINTS_MAX = 255
const COPY_SUFFIX = ' (copy)'

/** `report.pdf` becomes `report (copy).pdf`. Folder names have no extension. */
export function toCopyName(name: string, source: 'upload' | 'folder' | 'link'): string {
  const extension = source === 'folder' ? '' : (/(?<=.)\.[^.\s]{1,20}$/u.exec(name)?.[0] ?? '')
  const stem = name.slice(0, name.length - extension.length)
  const room = NAME_POINTS_MAX - [...extension].length - COPY_SUFFIX.length
  return cut(stem, room) + COPY_SUFFIX + extension
}
