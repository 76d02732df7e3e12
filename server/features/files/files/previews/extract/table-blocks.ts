import type { ExtractedText, TextBlock } from '../../../../../../markdown/text-blocks.ts'
import type { Preview } from '../job.ts'
import { CONTEXT_MAX } from './html-blocks.ts'

/** One line per row. A sheet's first row is the others' context. */
export function tableBlocks({ sheets, truncated }: Preview<'table'>): ExtractedText {
  const lines: string[] = []
  const blocks: TextBlock[] = []
  let length = 0
  const add = (line: string): TextBlock => {
    const from = length
    lines.push(line)
    length += line.length + 1
    return { from, to: from + line.length }
  }
  for (const [index, { name, rows }] of sheets.entries()) {
    const place = name === '' ? {} : { page: index + 1 }
    if (name !== '') blocks.push({ ...add(name), level: 1, ...place })
    let header: string | null = null
    for (const row of rows) {
      const line = row.filter(Boolean).join(' | ').replaceAll('\n', ' ')
      if (line === '') continue
      const block: TextBlock = { ...add(line), isRow: true, ...place }
      if (header === null) header = line.length <= CONTEXT_MAX ? line : ''
      else if (header !== '') block.context = header
      blocks.push(block)
    }
  }
  const isNamed = sheets.some(({ name }) => name !== '')
  return { text: lines.join('\n'), blocks, pages: isNamed ? sheets.length : null, truncated }
}
