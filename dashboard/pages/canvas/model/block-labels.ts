import {
  Bot,
  FileText,
  Group,
  Image,
  Link2,
  type LucideIcon,
  Pencil,
  Shapes,
  SquareCheck,
  SquarePlay,
  StickyNote,
  Table2,
  Type,
} from 'lucide-react'
import { t } from '../../../../contract/text.ts'
import type { Block, BlockType } from '../store/items.ts'

export const TYPE_LABELS: Record<BlockType, string> = {
  text: t`Text`,
  note: t`Note`,
  file: t`File`,
  image: t`Image`,
  link: t`Link`,
  agent: t`Agent`,
  task: t`Task`,
  group: t`Group`,
  embed: t`Embed`,
  shape: t`Shape`,
  drawing: t`Drawing`,
  table: t`Table`,
}

export const TYPE_ICONS: Record<BlockType, LucideIcon> = {
  text: Type,
  note: StickyNote,
  file: FileText,
  image: Image,
  link: Link2,
  agent: Bot,
  task: SquareCheck,
  group: Group,
  embed: SquarePlay,
  shape: Shapes,
  drawing: Pencil,
  table: Table2,
}

const NAME_MAX = 60

/** Returns the title, else the first line. */
export function blockName({ type, title, content }: Pick<Block, 'type' | 'title' | 'content'>): string {
  const name = (title || firstLine(content)).trim()
  if (!name) return TYPE_LABELS[type]
  return name.length > NAME_MAX ? `${name.slice(0, NAME_MAX).trimEnd()}…` : name
}

/** Without Markdown markers. */
const firstLine = (content: string | null) =>
  (content ?? '')
    .split('\n')
    .map((line) => line.replace(/^[\s#>*+-]+(\[[ xX]\]\s)?/, '').replace(/[*_`~]/g, ''))
    .find((line) => line.trim() !== '') ?? ''

export const isDone = ({ metadata }: Pick<Block, 'metadata'>) => metadata.done === true

/** Enter edits this field. */
export const mainField = (type: BlockType): 'title' | 'content' =>
  ['text', 'note', 'agent', 'link', 'embed', 'shape'].includes(type) ? 'content' : 'title'
