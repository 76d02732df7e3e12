const TITLE_POINTS_MAX = 80

interface TextOfBlock {
  title: string | null
  content: string | null
}

/** Falls back to the first content line. */
export function titleOfBlock({ title, content }: TextOfBlock): string | null {
  const text = title?.trim() || firstLine(content ?? '')
  return [...text.slice(0, TITLE_POINTS_MAX * 2)].slice(0, TITLE_POINTS_MAX).join('').trim() || null
}

/** Without Markdown markers. */
export function firstLine(content: string): string {
  for (const line of content.split('\n')) {
    const text = line.replace(/^[\s#>*+-]+(\[[ xX]\]\s)?/, '').trim()
    if (text !== '') return text
  }
  return ''
}

interface LabeledEdge {
  fromBlockId: string
  toBlockId: string
  label: string | null
}

export function titleOfEdge(
  { label, fromBlockId, toBlockId }: LabeledEdge,
  blocks: ReadonlyMap<string, TextOfBlock>,
): string {
  const nameOf = (id: string) => titleOfBlock(blocks.get(id) ?? { title: null, content: null }) ?? id
  return label || `${nameOf(fromBlockId)} → ${nameOf(toBlockId)}`
}
