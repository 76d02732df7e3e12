import type { BlockRow } from '../../canvas/canvas.ts'

const NAME_CHARACTERS = 60

export function blockName({ title, content }: Pick<BlockRow, 'title' | 'content'>): string {
  const line = (title?.trim() || content?.trim() || 'without a title').split('\n', 1)[0]!
  return line.length > NAME_CHARACTERS ? `${line.slice(0, NAME_CHARACTERS).toWellFormed()}…` : line
}
